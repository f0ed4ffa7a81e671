// Linear systems of the size of one mechanical system, for right-hand sides.
#pragma once

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// X⁻¹ b for a regular X (N × N). Up to N = 4 by cofactors, which costs a fifth of an LU and no
/// branches; beyond by LU with partial pivoting. A singular X gives values that are not finite, or
/// as large as the rounding of its determinant makes them.
template <class S, int N, int K>
Matrix<S, N, K> solve_small(const Matrix<S, N, N>& X, const Matrix<S, N, K>& b) {
  if constexpr (N <= 4)
    return X.inverse() * b;
  else
    return X.partialPivLu().solve(b);
}

/// The same for a symmetric positive definite X; beyond N = 4 by Cholesky.
template <class S, int N, int K>
Matrix<S, N, K> solve_positive(const Matrix<S, N, N>& X, const Matrix<S, N, K>& b) {
  if constexpr (N <= 4)
    return X.inverse() * b;
  else
    return X.llt().solve(b);
}

}  // namespace rigidlimit
