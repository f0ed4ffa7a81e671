// The functions φ_k of a dense matrix, used by exponential integrators.
#pragma once

#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// φ_0(z) = e^z, φ_k(z) = (φ_(k−1)(z) − 1/(k − 1)!)/z of an N × N matrix; φ_k(0) = 1/k!.
struct PhiFunctions {
  MatrixXd exponential_minus_one;  ///< e^A − I
  std::vector<MatrixXd> phi;       ///< phi[k − 1] = φ_k(A)

  const MatrixXd& operator()(int k) const { return phi[static_cast<std::size_t>(k - 1)]; }
};

/// φ_1(A) … φ_most(A), by scaling and squaring of the functions themselves (Hochbruck, Lubich &
/// Selhofer 1998; Skaflestad & Wright 2009) after balancing: Taylor's series at A/2^s, ‖A/2^s‖₁ ≤
/// 1/2, then s times `double_argument`.
/// The exponential of an augmented matrix would be shorter, but its error is that of a perturbation
/// of A by u ‖A‖, u the unit round-off. Next to a fast motion with h k = 1e10, the slow one, O(1)
/// times h, would keep six digits. Here e^A − I is repeatedly squared. It is small where the motion
/// is slow, and each doubling adds a rounding instead of doubling all earlier ones. Entries may
/// overflow, to ∞ or NaN, if A has a large positive eigenvalue. Returns false, and leaves
/// `functions` unspecified, if A is not finite.
bool phi_functions(const MatrixXd& A, int most, PhiFunctions& functions);

/// From the functions of A to those of 2A:
/// φ_k(2A) = 2^(−k) (e^A φ_k(A) + Σ_(j=1)^k φ_j(A)/(k − j)!),  e^2A − I = (e^A − I)² + 2 (e^A − I).
void double_argument(PhiFunctions& functions);

/// D of powers of two for which the rows and columns of D⁻¹ A D without the diagonal have norms
/// within a factor of about two (Parlett & Reinsch 1969): scaling by D is without round-off.
VectorXd balancing_scales(const MatrixXd& A);

}  // namespace rigidlimit
