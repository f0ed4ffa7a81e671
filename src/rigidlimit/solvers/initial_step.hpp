// Initial step size for methods whose library has no rule for it. Valid C++17.
#pragma once

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// Hairer, Nørsett & Wanner, Solving ODEs I, section II.4, algorithm (4.14): the step whose
/// explicit Euler step changes y by about a hundredth and whose local error of order `order` meets
/// the tolerance. `f0` = f(t0, y0). At most `span`, > 0. Evaluates f once; if f is not finite
/// there, returns the Euler step.
double initial_step(const OdeProblem& problem, const VectorXd& f0, int order, double span,
                    const SolveOptions& options);

}  // namespace rigidlimit
