// The composite asymptotic expansion as a method.
#pragma once

#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// The solution by OdeProblem::expansion up to order 6, for problems that have one: contract of
/// OdeMethod::solve. There are no time steps: the cost does not depend on the small parameter ε,
/// and the error falls as ε⁷.
///
/// The first omitted term, of order 7, estimates the error. If it exceeds rtol |y_i| + atol_i in a
/// component i, with |y_i| the largest value on the grid, ε is too large for the tolerances, and
/// the outcome is Outcome::accuracy_limit. Without an expansion: Outcome::solver_error.
Solution solve_composite_6(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options);

/// The same with another order: a second solve that measures the error of the first.
Solution solve_composite(const OdeProblem& problem, const std::vector<double>& times,
                         const SolveOptions& options, int order);

}  // namespace rigidlimit
