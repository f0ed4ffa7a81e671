// Radau IIA methods with any number of stages: coefficients as data, checked on construction.
//
// Hairer & Wanner, Solving ODEs II (2nd ed. 1996), sections IV.5 and IV.8.
#pragma once

#include <complex>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/solvers/radau/radau_digits.hpp"

namespace rigidlimit {

/// A, and A⁻¹ = V Λ V⁻¹ in diagonal form with one real eigenvalue if s is odd, and complex pairs;
/// in double. It controls Newton's iteration and does not affect its result.
struct RadauTransform {
  bool has_real = false;                     ///< s is odd
  double gamma = 0.0;                        ///< the real eigenvalue; s even: the mean modulus
  std::vector<std::complex<double>> lambda;  ///< of each pair, the one with Im λ > 0

  /// Transforms to the eigenvectors' coordinates and back, in real numbers: row (column) 0 belongs
  /// to gamma if s is odd, then two to each pair. For the pair's right vector p + iq and left
  /// vector a + ib the rows of `to_modes` are a, b and the columns of `from_modes` 2p, −2q, so that
  /// from_modes · (Re w, Im w) = 2 Re((p + iq) w).
  MatrixXd to_modes, from_modes;

  MatrixXd A;  ///< s × s, rounded to double
};

/// The method with `stages` stages in real numbers T; order 2s − 1, stage order s, stiffly
/// accurate. With x = (0, c₁, …, c_s) the nodes of the collocation polynomial u, u(t₀) = y₀:
template <class T>
struct RadauTableau {
  using VectorT = Vector<T, Eigen::Dynamic>;
  using MatrixT = Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

  int stages = 0;
  VectorT c;               ///< nodes, increasing, c_s = 1
  VectorT b;               ///< weights
  MatrixT A;               ///< A_ij = ∫₀^{c_i} ℓ_j, s × s; its last row is b
  VectorT barycentric;     ///< 1 / Π_{k≠j} (x_j − x_k), s + 1
  VectorT slope_at_start;  ///< h u'(t₀) = Σ_j slope_at_start_j (u(t₀ + c_j h) − y₀)
  VectorT slope_at_end;    ///< h u'(t₀ + h) likewise

  /// max over [0, 1] of |θ Π (1 − θ/c_j)|. The polynomial through the same values with a slope at
  /// t₀ larger by δ differs from u by at most this times h δ.
  double bulge = 0.0;

  /// The estimate of the local error tends to estimate_constant · h^(s+1) y^(s+1), h → 0:
  /// Π c_i / (s! γ).
  double estimate_constant = 0.0;
  RadauTransform transform;
};

/// The method with s stages, 1 ≤ s ≤ max_radau_stages, computed on the first call and cached;
/// thread-safe. Computed with 50 digits from those of solvers/radau/radau_digits.hpp, rounded once
/// to T (double or Quad), then checked in T. Throws std::invalid_argument for another s,
/// std::logic_error for wrong digits of an eigenvalue or if check_radau_tableau does.
template <class T>
const RadauTableau<T>& radau_tableau(int stages);

/// Throws std::logic_error, with the condition and its residual, unless in T and up to a few
/// roundings: B(2s−1): Σ_i b_i c_i^(k−1) = 1/k for k ≤ 2s − 1; C(s): Σ_j A_ij c_j^(k−1) = c_i^k / k
/// for k ≤ s (k = 1 is the row sum); c_s = 1 and the last row of A is b. B and C with distinct
/// nodes determine the method uniquely.
template <class T>
void check_radau_tableau(const RadauTableau<T>& tableau);

}  // namespace rigidlimit
