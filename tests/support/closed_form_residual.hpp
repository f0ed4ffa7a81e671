// Does a closed form satisfy the equations of a system whose type is erased?
#pragma once

#include "rigidlimit/mechanics/kkt.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit::test {

/// What is left of the rigid equations at one time, and what differences and round-off explain.
struct Residual {
  double rate = 0.0;     ///< |q' − T v|
  double balance = 0.0;  ///< |M v' − F + Eᵀκ + GᵀΛ|, with the κ that makes it least
  double sliding = 0.0;  ///< |[E; G] v|
  double power = 0.0;    ///< |d(K* + P)/dt − power of the other forces|, W
  double rate_bound = 0.0, balance_bound = 0.0, sliding_bound = 0.0, power_bound = 0.0;

  bool explained() const {
    return rate <= rate_bound && balance <= balance_bound && sliding <= sliding_bound &&
           power <= power_bound;
  }
};

/// At time t > 0.2 (the differences reach 12/64 s back). `closed` is the system whose closed form
/// is taken, `judge` the one whose equations it must satisfy: the same, or another for a negative
/// control.
///
/// Bounds: the difference's own for q' and the energy; times ‖M‖ for the balance, and 64 roundings
/// of its terms (a Lagrangian's F takes some thirty operations); taking κ out is an orthogonal
/// projection, which in the max norm lengthens by sqrt(n) at most. [E; G] v is a sum of n products.
Residual closed_form_residual(const System& closed, const System& judge,
                                     const InitialState& start, double t,
                                     double lambda_sign = 1.0);

/// Of all times that a test looks at, the ratio of what is left to what is explained: at most 1.
double worst_residual(const System& closed, const System& judge, const InitialState& start,
                             double lambda_sign = 1.0);

}  // namespace rigidlimit::test
