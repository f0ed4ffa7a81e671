// A check that a closed form satisfies the equations of a type-erased system.
#pragma once

#include "rigidlimit/mechanics/kkt.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit::test {

/// Residuals of the rigid equations at one time, and their bounds by differences and round-off.
struct Residual {
  double rate = 0.0;     ///< |q' − T v|
  double balance = 0.0;  ///< |M v' − F + Eᵀκ + GᵀΛ|, minimised over κ
  double sliding = 0.0;  ///< |[E; G] v|
  double power = 0.0;    ///< |d(K* + P)/dt − power of the other forces|, W
  double rate_bound = 0.0, balance_bound = 0.0, sliding_bound = 0.0, power_bound = 0.0;

  bool explained() const {
    return rate <= rate_bound && balance <= balance_bound && sliding <= sliding_bound &&
           power <= power_bound;
  }
};

/// At time t > 0.2 (the differences reach 12/64 s back). `closed` has the closed form, `judge` the
/// equations: the same system, or another for a negative control.
///
/// Bounds: the bound of the difference for q' and the energy; ‖M‖ times it and 64 roundings of the
/// terms for the balance (a Lagrangian's F takes some thirty operations). The minimisation over κ
/// is an orthogonal projection, with max norm at most sqrt(n). [E; G] v is a sum of n products.
Residual closed_form_residual(const System& closed, const System& judge, const InitialState& start,
                              double t, double lambda_sign = 1.0);

/// The largest ratio of a residual to its bound over the times of a test; at most 1.
double worst_residual(const System& closed, const System& judge, const InitialState& start,
                      double lambda_sign = 1.0);

}  // namespace rigidlimit::test
