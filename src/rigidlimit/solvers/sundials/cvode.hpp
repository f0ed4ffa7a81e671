// SUNDIALS CVODE: variable-order multistep methods for y' = f(t, y).
#pragma once

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// BDF of order 1 to 5, Newton iteration with the exact Jacobian (required): the sparse one, if
/// available, with KLU's factorisation (Davis and Palamadai Natarajan 2010). Output between steps
/// by the method's interpolation polynomial. Contract: OdeMethod::solve.
Solution solve_cvode_bdf(const OdeProblem& problem, const std::vector<double>& times,
                         const SolveOptions& options);

/// Adams-Moulton of order 1 to 12, functional iteration: for non-stiff problems.
Solution solve_cvode_adams(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options);

}  // namespace rigidlimit
