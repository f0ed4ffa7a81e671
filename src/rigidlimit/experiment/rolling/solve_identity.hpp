// The identities of a study's solves: what each of them depends on.
#pragma once

#include "rigidlimit/experiment/plan/solve_archive.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"

namespace rigidlimit {

/// The equations of a system in a few words: a hash of M, F, [E; G], T v and the drift at three
/// states about `at`, each rounded to nine digits of its largest entry, so that neither the
/// compiler nor the processor shows. It knows a system that was changed without changing its name.
std::string fingerprint(const System& system, const InitialState& at);

/// Sizes and entries, which read back as the same doubles; and the entries as whole multiples of
/// 1e-9 of the largest one, so that round-off does not show.
std::string exact_text(const MatrixXd& X);
std::string rounded_text(const MatrixXd& X);

/// What of a system three states do not show, a push at t = 1, a wall: of one's own the program's
/// code, and of a text its tapes, known whole, so that a change of words, units or comments is
/// none. Empty of the library's, which are known by their sources (report/build_info.hpp) and
/// shared by all programs.
std::string origin_text(const SystemEntry& entry, const RecordedSystem& recorded);

/// A hash of the times, bit by bit.
std::string grid_hash(const std::vector<double>& times);

/// Makes the identities of one study's solves, `grid` being the hash of the times of each.
/// Equations of the library are known by their fingerprint here and by their sources in a store's
/// keys; those of a system of one's own, whose sources nobody hashes, by program_code(): a program
/// that is built anew solves its own systems anew. Determinants are words "name=value"; what is
/// long enters by its hash.
class SolveIdentities {
 public:
  explicit SolveIdentities(const RollingStudy& study);

  SolveIdentity rigid(const std::string& solver, Tolerance tolerance,
                      const std::string& grid) const;
  /// `formulation`: in which the law is solved.
  SolveIdentity compliant(const std::string& law, const std::string& solver, double epsilon,
                          bool tighter, const std::string& grid) const;
  SolveIdentity prediction(const std::string& grid) const;
  SolveIdentity rigid_work(Tolerance tolerance, const std::string& grid) const;

 private:
  SolveIdentity of_rigid_motion(SolveIdentity identity, const std::string& grid) const;

  const RollingStudy& study_;
  std::string physics_;  ///< hash of system, parameters and start
  std::string contact_;  ///< hash of the contact without its law and ε
};

}  // namespace rigidlimit
