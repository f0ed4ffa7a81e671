// Conversion of solves to records and back.
#pragma once

#include "rigidlimit/experiment/plan/solve_archive.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// Names of the samples. All motions: "q", "v", "lambda"; in 113 bits also "q.rest", "v.rest",
/// "lambda.rest". Rigid motion: "multiplier_tested" (1 × 1). Second compliant solve:
/// "energy.mechanical", "energy.spring", "energy.work", "energy.damper". Work along the rigid
/// motion: "work".
///
/// Each pair of functions below is a bit-exact round trip. `times`: the grid of the record. Throws
/// DamagedRecord if samples have other sizes than those of the system.
SolveRecord record_of(RigidMotion motion);
RigidMotion rigid_motion_of(SolveRecord record, const System& system,
                            const std::vector<double>& times);

SolveRecord record_of(CompliantMotion motion);
CompliantMotion compliant_motion_of(SolveRecord record, const System& system,
                                    const std::vector<double>& times);

}  // namespace rigidlimit
