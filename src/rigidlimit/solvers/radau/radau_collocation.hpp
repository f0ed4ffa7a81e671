// The polynomial of a Radau IIA step.
#pragma once

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/solvers/radau/radau_coefficients.hpp"

namespace rigidlimit {

/// u(t₀ + θ h) − y₀ of the collocation polynomial u whose values at the nodes are y₀ + Z.
template <class T>
struct RadauCollocation {
  using MatrixT = Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  using VectorT = Vector<T, Eigen::Dynamic>;

  const RadauTableau<T>* tableau = nullptr;
  MatrixT Z;  ///< N × s
  VectorT y0;
  double t0 = 0.0;
  T h{};

  /// Writes u(t₀ + θ h) − y₀; `basis` is workspace for s numbers. Uses Lagrange's formula with
  /// barycentric weights in its first form. It is stable outside [0, 1] too, where a step's
  /// polynomial predicts the next one.
  template <class Out>
  void increment(const T& theta, VectorT& basis, Out&& out) const {
    const Index s = tableau->stages;
    T product = theta;
    for (Index j = 0; j < s; ++j) {
      const T distance = theta - tableau->c(j);
      if (distance == T(0)) {
        out = Z.col(j);
        return;
      }
      product *= distance;
      basis(j) = tableau->barycentric(j + 1) / distance;
    }
    out.setZero();
    for (Index j = 0; j < s; ++j) {
      const T weight = basis(j) * product;
      for (Index n = 0; n < Z.rows(); ++n) out(n) += weight * Z(n, j);
    }
  }
};

}  // namespace rigidlimit
