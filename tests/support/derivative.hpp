// Derivatives of functions of a vector, by Dual numbers. Sizes are compile-time or dynamic.
#pragma once

#include "rigidlimit/core/linear.hpp"
#include "support/dual.hpp"

namespace rigidlimit {

/// x with every component as an independent variable (directions Offset, Offset + 1, …) of D.
template <class D, int Offset = 0, class S, int N>
Vector<D, N> as_variables(const Vector<S, N>& x) {
  Vector<D, N> lifted;
  lifted.resize(x.size());
  for (int i = 0; i < x.size(); ++i) lifted(i) = D::variable(x(i), Offset + i);
  return lifted;
}

/// x with zero derivatives.
template <class D, class S, int N>
Vector<D, N> as_constants(const Vector<S, N>& x) {
  Vector<D, N> lifted;
  lifted.resize(x.size());
  for (Index i = 0; i < x.size(); ++i) lifted(i) = D(x(i));
  return lifted;
}

/// x + τ dx as a function of the one direction τ.
template <class S, int N>
Vector<Dual<S, 1>, N> along(const Vector<S, N>& x, const Vector<S, N>& dx) {
  Vector<Dual<S, 1>, N> moved;
  moved.resize(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    moved(i) = Dual<S, 1>(x(i));
    moved(i).derivative[0] = dx(i);
  }
  return moved;
}

/// The derivative parts: J(i, k) = ∂y_i/∂x_k.
template <class T, int N, int M>
Matrix<T, M, N> derivatives(const Vector<Dual<T, N>, M>& y) {
  Matrix<T, M, N> J;
  J.resize(y.size(), N);
  for (Index i = 0; i < y.size(); ++i)
    for (int k = 0; k < N; ++k) J(i, k) = y(i).derivative[static_cast<std::size_t>(k)];
  return J;
}

/// The gradient of a scalar.
template <class T, int N>
Vector<T, N> gradient(const Dual<T, N>& y) {
  Vector<T, N> g;
  for (int k = 0; k < N; ++k) g(k) = y.derivative[static_cast<std::size_t>(k)];
  return g;
}

}  // namespace rigidlimit
