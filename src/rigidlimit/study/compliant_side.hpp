// The compliant problem of a study.
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/study/catalogue.hpp"
#include "rigidlimit/study/study.hpp"

namespace rigidlimit {

/// The ODE of one of the study's laws at ε, from the study's start; with a spring in the variables
/// of `formulation`, without one in (q, v).
MotionProblem<OdeProblem> compliant_problem(const Study& study, const LawInfo& law,
                                            Formulation formulation, double epsilon);

/// What a solver of this study is given.
SolveOptions solve_options(const Study& study, Tolerance tolerance,
                           const std::function<bool()>& stop_requested);

}  // namespace rigidlimit
