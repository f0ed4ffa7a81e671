// The compliant problem of a study.
#pragma once

#include "rigidlimit/formulations/pair.hpp"
#include "rigidlimit/study/study.hpp"

namespace rigidlimit {

/// The stiff ODE at ε from the study's start, with its law and its spring, in the variables of
/// `formulation`.
MotionProblem<OdeProblem> compliant_problem(const Pair& pair, const Study& study,
                                            Formulation formulation, double epsilon);

}  // namespace rigidlimit
