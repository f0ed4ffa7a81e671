// Keys of a study's solves: everything that the result of each depends on.
#pragma once

#include "rigidlimit/experiment/plan/solve_archive.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"

namespace rigidlimit {

/// Fingerprint of a system's equations: a hash of M, F, [E; G], T v and the drift at three states
/// near `at`, each rounded to nine digits of its largest entry, so that it does not depend on
/// compiler or processor. It changes if a system is changed under the same name.
std::string fingerprint(const System& system, const InitialState& at);

/// Sizes and entries of a matrix: exact, as text that reads back as the same doubles; and rounded
/// to multiples of 1e-9 of the largest entry, so that round-off does not show.
std::string exact_text(const MatrixXd& X);
std::string rounded_text(const MatrixXd& X);

/// Part of the key for properties of a system that three states do not show (a push at t = 1, a
/// wall). For a user-defined system, the program's code; for a system of formulas, its tapes, so
/// that a change of words, units or comments has no effect. Empty for a system of the library: its
/// sources are in the key (report/build_info.hpp), and all programs share its solves.
std::string origin_text(const SystemEntry& entry, const RecordedSystem& recorded);

/// A hash of the times, bit by bit.
std::string grid_hash(const std::vector<double>& times);

/// Makes the keys of one study's solves; `grid` is the hash of the times of each. A system of the
/// library enters by its fingerprint, and in a store by its sources. A user-defined system enters
/// by program_code(): a program that is rebuilt repeats the solves of its own systems. Determinants
/// are words "name=value"; a long value enters by its hash.
class SolveIdentities {
 public:
  explicit SolveIdentities(const RollingStudy& study);

  /// The determinants that all compliant solves of a law share: system, start, contact.
  std::string setting(const std::string& law) const;

  SolveIdentity rigid(const std::string& solver, Tolerance tolerance,
                      const std::string& grid) const;
  /// `formulation`: the variables of the compliant solve.
  SolveIdentity compliant(const std::string& law, const std::string& solver, double epsilon,
                          bool tighter, const std::string& grid) const;
  SolveIdentity rigid_work(const std::string& method, Tolerance tolerance,
                           const std::string& grid) const;

 private:
  SolveIdentity of_rigid_motion(SolveIdentity identity, const std::string& grid) const;

  const RollingStudy& study_;
  std::string physics_;  ///< hash of system, parameters and start
  std::string contact_;  ///< hash of the contact without its law and ε
};

}  // namespace rigidlimit
