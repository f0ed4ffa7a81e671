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
/// The distance of the last stage from the polynomial through the others, the defect, falls as h⁸.
/// With output between steps it is the error estimate, kept below rtol |y| + atol in the root mean
/// square over (x, w, η). With output at the end only, the estimate is proportional to its square
/// over (x, w), because steps end with nearly twice as many digits. λ = C η + D w does not: the
/// last step also tests the defect of (w, η). Errors at the end (19 systems, ε = 1e-2 to 1e-6, rtol
/// 1e-4 to 1e-10), in the median: of (q, v) 0.01 rtol, of λ 0.004 rtol.
///
/// Integrals behind (x, w, η) are computed after a step is accepted, by the same collocation: eight
/// right-hand sides per step. They take no part in the iteration or the error test, so that the
/// motion is bit-identical to that of the problem without them.
///
/// If the slow part is stiff, its fixed-point iteration and not the error limits the steps. When
/// such steps outnumber a quarter of the others by a dozen, with more than fifty to go, the solve
/// begins again with the Newton matrix of the whole problem (solve_radau_iia); Work counts both.
/// Not with fixed_step, and not without OdeProblem::jacobian.
///
/// Requires OdeProblem::batched, and ignores root functions. Work::rhs_evaluations counts states:
/// eight per batch; a Jacobian is P, a factorisation the four systems. fixed_step iterates to
/// round-off.
Solution solve_radau_iia_batched(const OdeProblem& problem, const std::vector<double>& times,
                                 const SolveOptions& options);

}  // namespace rigidlimit
