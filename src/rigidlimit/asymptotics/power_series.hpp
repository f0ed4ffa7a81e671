// Powers of a series in the small parameter.
#pragma once

#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// Of δ = Σ_{j ≥ 1} δ_j μ^j: entry (i, j) is the coefficient of μ^j in δ^i, i, j = 0 … order.
/// `delta` holds δ_0, δ_1, …; δ_0 is not used, and missing coefficients are 0.
template <class T>
MatrixX<T> powers_of(const std::vector<T>& delta, int order) {
  MatrixX<T> power = MatrixX<T>::Zero(order + 1, order + 1);
  power(0, 0) = T(1);
  for (Index i = 1; i <= order; ++i)
    for (Index j = i; j <= order; ++j)
      for (Index l = 1; l <= j && l < std::ssize(delta); ++l)
        power(i, j) += power(i - 1, j - l) * delta[static_cast<std::size_t>(l)];
  return power;
}

/// The coefficient of μ^k in Σ_{l ≤ last} μ^l x_l(t + δ), by the Taylor coefficients x_{l,i},
/// columns of x[l], and powers_of(δ).
template <class T>
VectorX<T> shifted_coefficient(const std::vector<MatrixX<T>>& x, const MatrixX<T>& power, int k,
                               int last) {
  VectorX<T> sum = VectorX<T>::Zero(x.front().rows());
  for (int l = 0; l <= last; ++l)
    for (int i = 0; i <= k - l; ++i)
      if (power(i, k - l) != T(0)) sum += power(i, k - l) * x[static_cast<std::size_t>(l)].col(i);
  return sum;
}

/// Σ δ_j μ^j.
template <class T>
T series_at(const std::vector<T>& delta, double mu) {
  T sum(0);
  for (std::size_t j = delta.size(); j-- > 0;) sum = sum * T(mu) + delta[j];
  return sum;
}

}  // namespace rigidlimit
