// The compliant problem of a study.
#pragma once

#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"

namespace rigidlimit {

/// The ODE of one of the study's laws at ε, from the study's start. With a spring, its variables
/// are those of `formulation`; without a spring, (q, v).
MotionProblem<OdeProblem> compliant_problem(const RollingStudy& study, const LawInfo& law,
                                            Formulation formulation, double epsilon);

/// The reason why `solver` cannot solve the compliant problem of this law (refusal_of() in
/// solvers/catalogue.hpp), worded for the author of the file; empty: it can. Does not depend on ε
/// or the numbers of the contact.
std::string refusal_of(const RollingStudy& study, const LawInfo& law, const std::string& solver);

/// The options of a compliant solve.
SolveOptions solve_options(const RollingStudy& study, Tolerance tolerance,
                           const std::function<bool()>& stop_requested);

}  // namespace rigidlimit
