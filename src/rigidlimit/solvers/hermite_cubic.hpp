// The cubic through two states with their slopes.
#pragma once

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// y(tau), 0 ≤ tau ≤ h, with y(0) = y0, y'(0) = f0, y(h) = y1, y'(h) = f1. Its error is O(h⁴).
inline void hermite_cubic(VectorIn y0, VectorIn f0, VectorIn y1, VectorIn f1, double h, double tau,
                          VectorOut y) {
  const double s = tau / h;
  const double r = 1.0 - s;
  y = y0 + s * s * (3.0 - 2.0 * s) * (y1 - y0) + (s * r * r * h) * f0 - (s * s * r * h) * f1;
}

}  // namespace rigidlimit
