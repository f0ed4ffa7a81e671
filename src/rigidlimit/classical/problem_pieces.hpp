// Problems whose right-hand side switches at known instants, from one instant to the next.
#pragma once

#include <vector>

#include "rigidlimit/classical/problem.hpp"

namespace rigidlimit {

/// ClassicalProblem::pieces up to `problem.end`; the problem itself if it does not switch before.
std::vector<ClassicalProblem> pieces_of(const ClassicalProblem& problem);

/// ClassicalIn<double>::ode with the pieces up to `problem.end`: its RootFunctions::instants are
/// the starts of the pieces, and its callbacks are those of the piece that the solve has reached.
/// Without switches before the end, the ODE itself.
OdeProblem ode_with_instants(const ClassicalProblem& problem);

}  // namespace rigidlimit
