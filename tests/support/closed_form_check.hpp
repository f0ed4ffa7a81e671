// Does a closed form satisfy the equations that it claims to solve?
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/mechanics/system.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit::test {

/// What is left of the rigid equations at one time, and what differences and round-off explain.
struct Unbalance {
  double rate = 0.0;     ///< |q' − T v|
  double balance = 0.0;  ///< |M v' − F + GᵀΛ|
  double sliding = 0.0;  ///< |G v|
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
template <class Sys>
Unbalance unbalance_of(const Sys& closed, const Sys& sys, const InitialState& start, double t,
                       double lambda_sign = 1.0) {
  const auto state = [&](double time) -> VectorXd {
    const Motion motion = closed.closed_form(start, {time}).value();
    VectorXd y(Sys::nq + Sys::n);
    y << motion.q.col(0), motion.v.col(0);
    return y;
  };
  const NumericalDerivative numerical = central_difference(state, t, 1.0 / 64.0);
  const Motion motion = closed.closed_form(start, {t}).value();
  const Coordinates<Sys> q = motion.q.col(0);
  const Velocities<Sys> v = motion.v.col(0);
  const ContactVector<Sys> lambda = lambda_sign * motion.lambda.col(0);
  const Coordinates<Sys> q_rate = numerical.value.col(0).template head<Sys::nq>();
  const Velocities<Sys> v_rate = numerical.value.col(0).template tail<Sys::n>();
  const auto M = mass_matrix(sys, q);
  const auto G = constraint(sys, q);
  const auto F = force(sys, q, v, t);
  const Velocities<Sys> residual = M * v_rate - F + G.transpose() * lambda;
  const double mass_norm = M.cwiseAbs().rowwise().sum().maxCoeff();
  const double terms = mass_norm * v_rate.cwiseAbs().maxCoeff() + F.cwiseAbs().maxCoeff() +
                       lambda.cwiseAbs().maxCoeff();
  return {.rate = (q_rate - coordinate_rate(sys, q, v)).cwiseAbs().maxCoeff(),
          .balance = residual.cwiseAbs().maxCoeff(),
          .sliding = (G * v).cwiseAbs().maxCoeff(),
          .rate_bound = numerical.bound,
          .balance_bound = mass_norm * numerical.bound + 32.0 * unit_roundoff * terms,
          .sliding_bound = 4.0 * Sys::n * unit_roundoff * v.cwiseAbs().maxCoeff()};
}

}  // namespace rigidlimit::test
