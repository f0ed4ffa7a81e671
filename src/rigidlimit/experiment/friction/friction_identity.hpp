// Keys of the solves of a friction study: everything that the result of each depends on.
#pragma once

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// fingerprint() of the smooth system and of its contacts: constants, g, N, the drift of g'', given
/// normal forces and kinks.
std::string fingerprint(const FrictionalSystem& system, const InitialState& at);

/// Like SolveIdentities; `grid` is the hash of the times of each solve. [history], [[expect]] and
/// [inequality] do not enter: they affect no solve.
class FrictionIdentities {
 public:
  explicit FrictionIdentities(const FrictionStudy& study);

  SolveIdentity event_driven(const NonsmoothOptions& options, const std::string& grid) const;
  SolveIdentity moreau_jean(double step, const NonsmoothOptions& options,
                            const std::string& grid) const;
  SolveIdentity compliant(const ComparedLaw& law, const std::string& solver, double epsilon,
                          bool tighter, const std::string& grid) const;

 private:
  const FrictionStudy& study_;
  std::string physics_;  ///< hash of system, parameters and start
  std::string contact_;  ///< hash of [contact] without its laws
};

}  // namespace rigidlimit
