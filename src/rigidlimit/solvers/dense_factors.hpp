// What a factorised matrix is asked before it is trusted.
#pragma once

#include <cmath>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// No pivot is zero or not finite.
template <class LU>
bool regular_pivots(const LU& lu) {
  for (Index i = 0; i < lu.matrixLU().rows(); ++i) {
    const double pivot = std::abs(lu.matrixLU()(i, i));
    if (!(pivot > 0.0) || !std::isfinite(pivot)) return false;
  }
  return true;
}

}  // namespace rigidlimit
