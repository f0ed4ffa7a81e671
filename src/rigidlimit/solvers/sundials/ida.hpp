// SUNDIALS IDA: variable-order BDF for 0 = r(t, y, y').
#pragma once

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// Fixed-leading-coefficient BDF of order 1 to 5, Newton iteration with the exact dense Jacobian, y
/// and y' on the grid by the method's interpolation polynomial. The local error test omits
/// algebraic variables if the problem requests it. Contract: DaeMethod::solve.
Solution solve_ida(const DaeProblem& problem, const std::vector<double>& times,
                   const SolveOptions& options);

}  // namespace rigidlimit
