// Does a closed form satisfy the equations that it claims to solve?
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "rigidlimit/mechanics/equations.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit::test {

/// What is left of the rigid equations at one time, and what differences and round-off explain.
struct Unbalance {
  double rate = 0.0;     ///< |q' − T v|
  double balance = 0.0;  ///< |M v' − F + GᵀΛ|, of it the part across range Eᵀ: κ is free
  double sliding = 0.0;  ///< |[E; G] v|
  double rate_bound = 0.0, balance_bound = 0.0, sliding_bound = 0.0;

  bool explained() const {
    return rate <= rate_bound && balance <= balance_bound && sliding <= sliding_bound;
  }
};

/// At time t > 0.2 (the differences reach 12/64 s back). `closed` is the system whose closed form
/// is taken, `sys` the one whose equations judge it: the same, or another for a negative control.
///
/// Bounds: the difference's own for q'; times ‖M‖ for the balance, and 32 roundings of its terms;
/// G v is a sum of n products.
Unbalance unbalance_of(const System& closed, const System& system, const InitialState& start,
                              double t, double lambda_sign = 1.0);

}  // namespace rigidlimit::test
