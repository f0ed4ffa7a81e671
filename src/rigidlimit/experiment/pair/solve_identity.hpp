// Keys of a study's solves: everything that the result of each depends on.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// Sets the determinants: the fields of the identity, and `settings`. Determinants are words
/// "name=value"; a long value enters by its hash, and a method of a user also by its content.
SolveIdentity determined(SolveIdentity identity, const std::string& settings);

/// A hash of system, parameters and start. A system of the library enters by `equations`, its
/// fingerprint, and in a store by its sources. A user-defined system enters by program_code(): a
/// program that is rebuilt repeats the solves of its own systems.
std::string hash_of_physics(const SystemEntry& entry, const std::vector<ParameterInfo>& parameters,
                            const std::vector<double>& values, const System& system,
                            const InitialState& start, const std::string& equations);

/// Makes the keys of one rolling study's solves; `grid` is the hash of the times of each.
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
  SolveIdentity of_rigid_motion(SolveIdentity::Kind kind, const std::string& solver,
                                Tolerance tolerance, const std::string& grid,
                                const std::string& more) const;

  const RollingStudy& study_;
  std::string physics_;  ///< hash_of_physics()
  std::string contact_;  ///< hash of the contact without its law and ε
};

}  // namespace rigidlimit
