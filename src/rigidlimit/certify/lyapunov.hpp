// The operator of the Lyapunov equation.
#pragma once

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// H ↦ JᵀH + H J for the columns of H one after the other, k² × k² for J k × k.
template <class T>
MatrixX<T> lyapunov_operator(const MatrixX<T>& J) {
  const Index size = J.rows();
  MatrixX<T> operation = MatrixX<T>::Zero(size * size, size * size);
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < size; ++j)
      for (Index l = 0; l < size; ++l) {
        operation(i + size * j, l + size * j) += J(l, i);
        operation(i + size * j, i + size * l) += J(l, j);
      }
  return operation;
}

}  // namespace rigidlimit
