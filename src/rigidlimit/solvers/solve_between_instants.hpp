// A solve across the instants that its problem knows in advance.
#pragma once

#include <vector>

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// Solves one piece after the other: from `problem.t0` to the first of RootFunctions::instants,
/// from there to the next one, and the last to times.back(). The state at an instant is rewritten
/// by Instant::begin. A time of the grid that is an instant has the state after it. Work and roots
/// are those of all pieces. Guarantees and errors as OdeMethod::solve; throws InputError for a
/// problem with moving coordinates.
Solution solve_between_instants(const OdeMethod& method, const OdeProblem& problem,
                                const std::vector<double>& times, const SolveOptions& options);

}  // namespace rigidlimit
