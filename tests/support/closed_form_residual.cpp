#include "support/closed_form_residual.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit::test {

Residual closed_form_residual(const System& closed, const System& judge, const InitialState& start,
                              double t, double lambda_sign) {
  const Equations<double>& equations = judge.in<double>();
  const auto state = [&](double time) -> VectorXd {
    const Motion motion = closed.closed_form(start, {time}).value();
    VectorXd y(judge.nq + judge.n + 1);
    const VectorXd q = motion.q.col(0), v = motion.v.col(0);
    y << q, v, mechanical_energy(judge, q, v);
    return y;
  };
  const NumericalDerivative numerical = central_difference(state, t, 1.0 / 64.0);
  const Motion motion = closed.closed_form(start, {t}).value();
  const VectorXd q = motion.q.col(0), v = motion.v.col(0);
  const VectorXd v_rate = numerical.value.col(0).segment(judge.nq, judge.n);

  MatrixXd M(judge.n, judge.n), rows(judge.ne + judge.m, judge.n);
  VectorXd F(judge.n), q_rate(judge.nq);
  equations.mass_matrix(q, M);
  equations.constraints(q, rows);
  equations.force(q, v, t, F);
  equations.coordinate_rate(q, v, q_rate);
  const VectorXd contact = rows.bottomRows(judge.m).transpose() * motion.lambda.col(0);
  VectorXd left = M * v_rate - F + lambda_sign * contact, sliding = rows * v;
  double surface_power = 0.0;  // −κᵀe
  if (judge.ne > 0) {
    const MatrixXd held = rows.topRows(judge.ne).transpose();
    const VectorXd kappa = -least_squares(held, left);
    left += held * kappa;
    sliding.head(judge.ne) -= judge.exact_rates();
    surface_power = -kappa.dot(judge.exact_rates());
  }
  const double mass_norm = M.cwiseAbs().rowwise().sum().maxCoeff();
  const double terms = mass_norm * v_rate.cwiseAbs().maxCoeff() + F.cwiseAbs().maxCoeff() +
                       contact.cwiseAbs().maxCoeff();
  const double projected = judge.ne > 0 ? std::sqrt(static_cast<double>(judge.n)) : 1.0;
  const double row_norm = rows.cwiseAbs().rowwise().sum().maxCoeff();
  const double other_power = non_conservative_power(judge, q, v, t) + surface_power;
  const double speed = v.cwiseAbs().maxCoeff();
  return {.rate = (numerical.value.col(0).head(judge.nq) - q_rate).cwiseAbs().maxCoeff(),
          .balance = left.cwiseAbs().maxCoeff(),
          .sliding = sliding.cwiseAbs().maxCoeff(),
          .power = std::abs(numerical.value(judge.nq + judge.n, 0) - other_power),
          .rate_bound = numerical.bound,
          .balance_bound = projected * (mass_norm * numerical.bound + 64.0 * unit_roundoff * terms),
          .sliding_bound = 4.0 * static_cast<double>(judge.n) * unit_roundoff * row_norm * speed,
          .power_bound = numerical.bound + 64.0 * unit_roundoff * terms * speed};
}

double worst_residual(const System& closed, const System& judge, const InitialState& start,
                      double lambda_sign) {
  double worst = 0.0;
  for (double t = 0.2; t < 3.0; t += 0.37) {
    const Residual r = closed_form_residual(closed, judge, start, t, lambda_sign);
    worst = std::max({worst, r.rate / r.rate_bound, r.balance / r.balance_bound,
                      r.sliding / r.sliding_bound, r.power / r.power_bound});
  }
  return worst;
}

}  // namespace rigidlimit::test
