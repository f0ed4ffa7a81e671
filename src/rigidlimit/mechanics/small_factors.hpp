// Factorisations of small matrices for right-hand sides: plain loops in reused memory. Up to about
// ten rows, Eigen's blocked kernels cost several times as much, and in Quad several times the
// compile time.
#pragma once

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// X = L Lᵀ, X symmetric positive definite (N × N; the lower triangle is read). Otherwise values
/// are not finite.
template <class T>
class SmallCholesky {
 public:
  void compute(const MatrixX<T>& X) {
    using std::sqrt;
    const Index N = X.rows();
    factor_ = X;
    for (Index k = 0; k < N; ++k) {
      T pivot = factor_(k, k);
      for (Index j = 0; j < k; ++j) pivot -= factor_(k, j) * factor_(k, j);
      factor_(k, k) = pivot > T(0) ? T(sqrt(pivot)) : std::numeric_limits<T>::quiet_NaN();
      for (Index i = k + 1; i < N; ++i) {
        T entry = factor_(i, k);
        for (Index j = 0; j < k; ++j) entry -= factor_(i, j) * factor_(k, j);
        factor_(i, k) = entry / factor_(k, k);
      }
    }
  }

  /// x <- X⁻¹ x (N × K).
  template <class Derived>
  void solve_in_place(Eigen::MatrixBase<Derived>& x) const {
    const Index N = factor_.rows();
    for (Index c = 0; c < x.cols(); ++c) {
      for (Index i = 0; i < N; ++i) {
        for (Index j = 0; j < i; ++j) x(i, c) -= factor_(i, j) * x(j, c);
        x(i, c) /= factor_(i, i);
      }
      for (Index i = N - 1; i >= 0; --i) {
        for (Index j = i + 1; j < N; ++j) x(i, c) -= factor_(j, i) * x(j, c);
        x(i, c) /= factor_(i, i);
      }
    }
  }

 private:
  MatrixX<T> factor_;
};

/// P X = L U with row exchange. A singular X (N × N) gives values that are not finite or have the
/// size of the rounding error's inverse.
///
/// The residual of a solution x by LU is a rounding of |X| |x|, in every row. In the rows G a = b
/// of a KKT system with nearly dependent contacts this is a rounding of their large multipliers,
/// not of the acceleration a. Where a pivot is below 1e-5 of the largest, three steps of iterative
/// refinement make the residual of each row a rounding of its own terms (Higham 2002,
/// section 12.2).
template <class T>
class SmallLu {
 public:
  void compute(const MatrixX<T>& X) {
    using std::abs;
    const Index N = X.rows();
    factor_ = X;
    exchanged_.resize(static_cast<std::size_t>(N));
    for (Index k = 0; k < N; ++k) {
      Index largest = k;
      for (Index i = k + 1; i < N; ++i)
        if (abs(factor_(i, k)) > abs(factor_(largest, k))) largest = i;
      exchanged_[static_cast<std::size_t>(k)] = largest;
      if (largest != k)
        for (Index j = 0; j < N; ++j) std::swap(factor_(k, j), factor_(largest, j));
      for (Index i = k + 1; i < N; ++i) {
        factor_(i, k) /= factor_(k, k);
        for (Index j = k + 1; j < N; ++j) factor_(i, j) -= factor_(i, k) * factor_(k, j);
      }
    }
    refined_.resize(0, 0);
    if (has_small_pivot()) refined_ = X;
  }

  /// x <- X⁻¹ x (N × K).
  template <class Derived>
  void solve_in_place(Eigen::MatrixBase<Derived>& x) const {
    if (refined_.size() == 0) {
      substitute(x);
      return;
    }
    const MatrixX<T> right = x;
    substitute(x);
    for (int step = 0; step < 3; ++step) {
      MatrixX<T> change = right;
      for (Index c = 0; c < x.cols(); ++c)
        for (Index i = 0; i < x.rows(); ++i)
          for (Index j = 0; j < x.rows(); ++j) change(i, c) -= refined_(i, j) * x(j, c);
      substitute(change);
      for (Index c = 0; c < x.cols(); ++c)
        for (Index i = 0; i < x.rows(); ++i) x(i, c) += change(i, c);
    }
  }

 private:
  bool has_small_pivot() const {
    using std::abs;
    if (factor_.rows() == 0) return false;
    T least = abs(factor_(0, 0)), largest = least;
    for (Index k = 1; k < factor_.rows(); ++k) {
      const T pivot = abs(factor_(k, k));
      if (pivot < least) least = pivot;
      if (pivot > largest) largest = pivot;
    }
    return least < T(1e-5) * largest;
  }

  template <class Derived>
  void substitute(Eigen::MatrixBase<Derived>& x) const {
    const Index N = factor_.rows();
    for (Index c = 0; c < x.cols(); ++c) {
      for (Index k = 0; k < N; ++k)
        std::swap(x(k, c), x(exchanged_[static_cast<std::size_t>(k)], c));
      for (Index i = 1; i < N; ++i)
        for (Index j = 0; j < i; ++j) x(i, c) -= factor_(i, j) * x(j, c);
      for (Index i = N - 1; i >= 0; --i) {
        for (Index j = i + 1; j < N; ++j) x(i, c) -= factor_(i, j) * x(j, c);
        x(i, c) /= factor_(i, i);
      }
    }
  }

  MatrixX<T> factor_;
  MatrixX<T> refined_;  ///< X, if its solutions are refined; empty otherwise
  std::vector<Index> exchanged_;
};

/// X⁻¹ by LU with row exchange.
template <class T>
MatrixX<T> small_inverse(const MatrixX<T>& X) {
  SmallLu<T> factors;
  factors.compute(X);
  MatrixX<T> inverse = MatrixX<T>::Identity(X.rows(), X.cols());
  factors.solve_in_place(inverse);
  return inverse;
}

}  // namespace rigidlimit
