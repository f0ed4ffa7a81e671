// Solves as records, and back.
#pragma once

#include "rigidlimit/experiment/plan/solve_archive.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// Names of the samples: "q", "v", "lambda" and, of a motion in 113 bits, "q.rest", "v.rest",
/// "lambda.rest"; of a rigid motion "multiplier_tested" (1 × 1); of the second compliant solve
/// "energy.mechanical", "energy.spring", "energy.work", "energy.damper"; of the work along the
/// rigid motion "work"; of a prediction the outer coefficients "q", "v", "lambda", "lambda1" and,
/// of a force that switches, "switch_states".
///
/// Every pair below is a round trip without a bit lost. `times`: the grid of the record.
SolveRecord record_of(RigidMotion motion);
RigidMotion rigid_motion_of(SolveRecord record, const std::vector<double>& times);

SolveRecord record_of(CompliantMotion motion);
CompliantMotion compliant_motion_of(SolveRecord record, const std::vector<double>& times);

SolveRecord record_of(const Prediction& prediction);
Prediction prediction_of(Expansion expansion, const std::vector<Continuation>& switches,
                         SolveRecord record, const std::vector<double>& times);

}  // namespace rigidlimit
