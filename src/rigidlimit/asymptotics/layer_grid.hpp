// Functions of the fast time: a polynomial and a part that decays.
#pragma once

#include <vector>

#include "rigidlimit/core/dense.hpp"

namespace rigidlimit {

/// x(τ) = Σ p_i τ^i + d(τ) on τ ≥ 0, where d decays exponentially. Products of such functions are
/// of this form again, and the parts are computed separately, never as a difference.
struct LayerFunction {
  std::vector<double> polynomial;  ///< p, without trailing zeros
  VectorXd decaying;               ///< d at the nodes of a LayerGrid; empty: 0

  LayerFunction() = default;
  explicit LayerFunction(double constant) {
    if (constant != 0.0) polynomial.push_back(constant);
  }
  bool is_zero() const { return polynomial.empty() && decaying.size() == 0; }
  /// p_i; 0 beyond the degree.
  double coefficient(int i) const {
    return i < static_cast<int>(polynomial.size()) ? polynomial[static_cast<std::size_t>(i)] : 0.0;
  }

  LayerFunction& operator+=(const LayerFunction& x);
  LayerFunction& operator-=(const LayerFunction& x);
  LayerFunction& operator*=(double factor);
};

LayerFunction operator+(LayerFunction x, const LayerFunction& y);
LayerFunction operator-(LayerFunction x, const LayerFunction& y);
LayerFunction operator*(double factor, LayerFunction x);

/// Panels of Chebyshev nodes on [0, τ_max], and the operations that need them. Each panel has both
/// of its ends as nodes, so that values at inner ends occur twice.
class LayerGrid {
 public:
  /// For the solutions of x' = B x + f (B: N × N, all eigenvalues with negative real part) with
  /// polynomials in τ up to degree 2 · `order` in front of their exponentials: the first panel
  /// resolves the fastest eigenvalue, the last one ends where all of this is below round-off.
  LayerGrid(const MatrixXd& B, int order);

  const VectorXd& nodes() const { return nodes_; }
  double end() const { return nodes_(nodes_.size() - 1); }

  LayerFunction product(const LayerFunction& x, const LayerFunction& y) const;
  /// x/y, where y has a polynomial part of degree 0 and no zero on τ ≥ 0.
  LayerFunction quotient(const LayerFunction& x, const LayerFunction& y) const;
  /// ∫ from 0 to τ.
  LayerFunction integral(const LayerFunction& x) const;
  LayerFunction derivative(const LayerFunction& x) const;
  /// x(0), with the decaying part.
  double start(const LayerFunction& x) const;
  /// The solution of x' = B x + f with x(0) = x0 (N). The decaying part is solved by collocation on
  /// each panel, the polynomial part by comparing coefficients.
  std::vector<LayerFunction> solution(const VectorXd& x0,
                                      const std::vector<LayerFunction>& f) const;

  /// The polynomial at the nodes.
  VectorXd values(const std::vector<double>& polynomial) const;
  /// d(τ) by barycentric interpolation; 0 behind the last node.
  double decaying_at(const VectorXd& decaying, double tau) const;

 private:
  Index panels() const { return std::ssize(lengths_); }

  MatrixXd B_;
  LuFactors<double> factors_;    ///< of B
  std::vector<double> lengths_;  ///< of the panels
  VectorXd nodes_;
  MatrixXd differentiation_;                    ///< on [−1, 1], nodes × nodes
  MatrixXd integration_;                        ///< from the left end to each node, on [−1, 1]
  std::vector<LuFactors<double>> collocation_;  ///< of each panel
};

}  // namespace rigidlimit
