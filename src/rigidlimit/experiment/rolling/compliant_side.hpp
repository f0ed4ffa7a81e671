// The compliant problem of a study.
#pragma once

#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"

namespace rigidlimit {

/// The ODE of one of the study's laws at ε, from the study's start; with a spring in the variables
/// of `formulation`, without one in (q, v).
MotionProblem<OdeProblem> compliant_problem(const RollingStudy& study, const LawInfo& law,
                                            Formulation formulation, double epsilon);

/// Why `solver` would not solve the compliant problem of this law of the study as the method that
/// it is (refusal_of() in solvers/catalogue.hpp), in words for the file's author; empty: it would.
/// Neither ε nor the contact's numbers have a say: they need not be known yet.
std::string refusal_of(const RollingStudy& study, const LawInfo& law, const std::string& solver);

/// What a solver of this study is given.
SolveOptions solve_options(const RollingStudy& study, Tolerance tolerance,
                           const std::function<bool()>& stop_requested);

}  // namespace rigidlimit
