// Functions of the fast time: a polynomial and a part that decays.
#pragma once

#include <type_traits>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/mechanics/small_factors.hpp"

namespace rigidlimit {

/// x(τ) = Σ p_i τ^i + d(τ) on τ ≥ 0, where d decays exponentially. Products of such functions are
/// of this form again, and the parts are computed separately, never as a difference. T: double or
/// Quad, here and in all of the expansion.
template <class T>
struct LayerFunction {
  std::vector<T> polynomial;  ///< p, without trailing zeros
  VectorX<T> decaying;        ///< d at the nodes of a LayerGrid; empty: 0

  LayerFunction() = default;
  explicit LayerFunction(const T& constant) {
    if (constant != T(0)) polynomial.push_back(constant);
  }
  bool is_zero() const { return polynomial.empty() && decaying.size() == 0; }
  /// p_i; 0 beyond the degree.
  T coefficient(int i) const {
    return i < static_cast<int>(polynomial.size()) ? polynomial[static_cast<std::size_t>(i)] : T(0);
  }

  LayerFunction& operator+=(const LayerFunction& x);
  LayerFunction& operator-=(const LayerFunction& x);
  LayerFunction& operator*=(const T& factor);
};

template <class T>
LayerFunction<T> operator+(LayerFunction<T> x, const LayerFunction<T>& y) {
  return x += y;
}
template <class T>
LayerFunction<T> operator-(LayerFunction<T> x, const LayerFunction<T>& y) {
  return x -= y;
}
/// `factor`: a number that T can hold.
template <class T>
LayerFunction<T> operator*(const std::type_identity_t<T>& factor, LayerFunction<T> x) {
  return x *= factor;
}

/// Panels of Chebyshev nodes on [0, τ_max], and the operations that need them. Each panel has both
/// of its ends as nodes, so that values at inner ends occur twice.
template <class T>
class LayerGrid {
 public:
  using Function = LayerFunction<T>;

  /// For the solutions of x' = B x + f (B: N × N, all eigenvalues with negative real part) with
  /// polynomials in τ up to degree 2 · `order` in front of their exponentials: the first panel
  /// resolves the fastest eigenvalue, the last one ends where all of this is below round-off.
  /// `roots`: the eigenvalues of B.
  LayerGrid(const MatrixX<T>& B, const Eigen::VectorXcd& roots, int order);

  const VectorX<T>& nodes() const { return nodes_; }
  T end() const { return nodes_(nodes_.size() - 1); }
  /// The smallest decay rate of the eigenvalues of B, > 0.
  double slowest_rate() const { return slowest_rate_; }

  Function product(const Function& x, const Function& y) const;
  /// x/y, where y has a polynomial part of degree 0 and no zero on τ ≥ 0.
  Function quotient(const Function& x, const Function& y) const;
  /// ∫ from 0 to τ.
  Function integral(const Function& x) const;
  Function derivative(const Function& x) const;
  /// x(0), with the decaying part.
  T start(const Function& x) const;
  /// The solution of x' = B x + f with x(0) = x0 (N). The decaying part is solved by collocation on
  /// each panel, the polynomial part by comparing coefficients.
  std::vector<Function> solution(const VectorX<T>& x0, const std::vector<Function>& f) const;

  /// The polynomial at the nodes.
  VectorX<T> values(const std::vector<T>& polynomial) const;
  /// d(τ) by barycentric interpolation; 0 behind the last node.
  T decaying_at(const VectorX<T>& decaying, const T& tau) const;

 private:
  Index panels() const { return std::ssize(lengths_); }

  MatrixX<T> B_;
  double slowest_rate_;
  SmallLu<T> factors_;      ///< of B
  std::vector<T> lengths_;  ///< of the panels
  VectorX<T> nodes_;
  MatrixX<T> differentiation_;              ///< on [−1, 1], nodes × nodes
  MatrixX<T> integration_;                  ///< from the left end to each node, on [−1, 1]
  std::vector<SmallLu<T>> collocation_;     ///< of panels of one length
  std::vector<std::size_t> length_number_;  ///< of each panel in `collocation_`
};

extern template struct LayerFunction<double>;
extern template struct LayerFunction<Quad>;
extern template class LayerGrid<double>;
extern template class LayerGrid<Quad>;

}  // namespace rigidlimit
