// Linear systems in numbers for which Eigen's decompositions would take minutes to compile.
#pragma once

#include <cmath>
#include <utility>

#include "rigidlimit/core/dual.hpp"
#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// x of X x = b by Gauss' elimination with row pivoting; X N × N, N small. In Dual numbers that
/// differentiates x as well. A singular X gives values that are not finite.
template <class S>
VectorX<S> solved_by_elimination(MatrixX<S> X, VectorX<S> b) {
  using std::abs;
  const Index N = b.size();
  for (Index k = 0; k < N; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < N; ++i)
      if (abs(X(i, k)) > abs(X(pivot, k))) pivot = i;
    for (Index j = k; j < N && pivot != k; ++j) std::swap(X(k, j), X(pivot, j));
    std::swap(b(k), b(pivot));
    for (Index i = k + 1; i < N; ++i) {
      const S factor = X(i, k) / X(k, k);
      for (Index j = k + 1; j < N; ++j) X(i, j) -= factor * X(k, j);
      b(i) -= factor * b(k);
    }
  }
  for (Index k = N - 1; k >= 0; --k) {
    for (Index j = k + 1; j < N; ++j) b(k) -= X(k, j) * b(j);
    b(k) /= X(k, k);
  }
  return b;
}

}  // namespace rigidlimit
