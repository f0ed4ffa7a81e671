// Radau IIA with eight stages that are evaluated side by side.
#pragma once

#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// Order 15, for problems with OdeProblem::batched: contract of OdeMethod::solve. The slow part is
/// iterated as it stands, h (A ⊗ I) X; of the fast part the deflections are eliminated by
/// η = η₀ + h κ A w exactly, and what is left of Newton's matrix,
///
///   I + h A ⊗ P_w D + h² κ A² ⊗ P_w C,
///
/// falls apart in the eigenvectors of A into four complex systems of size m (m × m, whatever the
/// system is): no slow Jacobian, no larger factorisation. P is that of the middle of the step. A
/// step allocates nothing, unless coordinates are chosen anew before it.
///
/// The local error is estimated by how far the last stage lies from the polynomial through the
/// others, which falls as h⁸, and kept below rtol |y| + atol in the root mean square; the solution
/// has nearly twice as many digits.
///
/// Integrals behind (x, w, η) are found once a step is accepted, by the same collocation: eight
/// right-hand sides a step, no part in the iteration or the error test, so that the motion is that
/// of the problem without them bit for bit.
///
/// Without OdeProblem::batched as solve_radau_iia_fast_block: who calls the method by name asks
/// refusal_of() (solvers/catalogue.hpp) first. Work::rhs_evaluations counts states: eight a batch.
/// fixed_step iterates to round-off.
Solution solve_radau_iia_batched(const OdeProblem& problem, const std::vector<double>& times,
                                 const SolveOptions& options);

}  // namespace rigidlimit
