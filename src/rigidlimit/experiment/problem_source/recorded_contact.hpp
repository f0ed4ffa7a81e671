// The equations of the problems of a rolling study as tapes of the whole right-hand side.
#pragma once

#include "rigidlimit/experiment/problem_source/written_problem.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"

namespace rigidlimit {

/// f of compliant_problem() (experiment/rolling/compliant_side.hpp) for a law with a spring, with
/// the coordinates of the start, which stay fixed.
RateTapes recorded_compliant(const RollingStudy& study, const LawInfo& law, Formulation variables,
                             double epsilon);

/// f of ideal rolling without multipliers: rigid_eliminated() in (q, v), or rigid_reduced() in (q,
/// u) with the coordinates at q0, which stay fixed.
RateTapes recorded_rigid(const RollingStudy& study, Formulation variables, const VectorXd& q0);

}  // namespace rigidlimit
