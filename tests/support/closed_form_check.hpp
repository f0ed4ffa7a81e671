// A check that a closed form satisfies its equations.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "rigidlimit/mechanics/equations.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit::test {

/// Residuals of the rigid equations at one time, and their bounds by differences and round-off.
struct Unbalance {
  double rate = 0.0;     ///< |q' − T v|
  double balance = 0.0;  ///< |M v' − F + GᵀΛ|, the part orthogonal to range Eᵀ: κ is free
  double sliding = 0.0;  ///< |[E; G] v|
  double rate_bound = 0.0, balance_bound = 0.0, sliding_bound = 0.0;

  bool explained() const {
    return rate <= rate_bound && balance <= balance_bound && sliding <= sliding_bound;
  }
};

/// At time t > 0.2 (the differences reach 12/64 s back). `closed` has the closed form, `system` the
/// equations: the same system, or another for a negative control.
///
/// Bounds: the bound of the difference for q'; ‖M‖ times it and 32 roundings of the terms for the
/// balance. G v is a sum of n products.
Unbalance unbalance_of(const System& closed, const System& system, const InitialState& start,
                       double t, double lambda_sign = 1.0);

}  // namespace rigidlimit::test
