// Per-component tolerances for a library with one absolute tolerance. Valid C++17.
#pragma once

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// An equivalent problem, and options without `atol_of`.
struct ToleranceUnits {
  OdeProblem problem;
  SolveOptions options;
  VectorXd scale{};  ///< S of z = S y, N; empty: z = y
};

/// The problem in z = S y with S_i = atol/atol_i, whose tolerances atol + rtol |z_i| are S_i
/// (atol_i + rtol |y_i|): every error test gives the same result as with atol_i. Solution::states
/// is in y: the scaling is undone on output, up to a rounding. Only rhs, jacobian, time_derivative,
/// roots and coordinates are transformed. The callbacks of `problem` are copied. Without `atol_of`
/// both are returned as they are.
ToleranceUnits in_units_of_tolerance(const OdeProblem& problem, const SolveOptions& options);

}  // namespace rigidlimit
