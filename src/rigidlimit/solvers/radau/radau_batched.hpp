// Radau IIA with eight stages evaluated side by side.
#pragma once

#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// Order 15, for problems with OdeProblem::batched: contract of OdeMethod::solve. The slow part is
/// a fixed-point iteration, h (A ⊗ I) X. In the fast part η = η₀ + h κ A w eliminates the
/// deflections exactly, and the remaining Newton matrix,
///
///   I + h A ⊗ P_w D + h² κ A² ⊗ P_w C,
///
/// decouples in the eigenvectors of A into four complex systems of size m (m × m for every system):
/// no slow Jacobian, no larger factorisation. P is evaluated in the middle of the step. A step
/// allocates nothing, unless coordinates are rechosen before it.
///
/// The local error estimate is the distance of the last stage from the polynomial through the
/// others, which falls as h⁸. It is kept below rtol |y| + atol in the root mean square; the
/// solution has nearly twice as many digits.
///
/// Integrals behind (x, w, η) are computed after a step is accepted, by the same collocation: eight
/// right-hand sides per step. They take no part in the iteration or the error test, so that the
/// motion is bit-identical to that of the problem without them.
///
/// Requires OdeProblem::batched, and ignores root functions. Work::rhs_evaluations counts states:
/// eight per batch; a Jacobian is P, a factorisation the four systems. fixed_step iterates to
/// round-off.
Solution solve_radau_iia_batched(const OdeProblem& problem, const std::vector<double>& times,
                                 const SolveOptions& options);

}  // namespace rigidlimit
