#include "support/closed_form_check.hpp"

#include "support/central_difference.hpp"

#include "rigidlimit/core/dense.hpp"

namespace rigidlimit::test {

Unbalance unbalance_of(const System& closed, const System& system, const InitialState& start,
                       double t, double lambda_sign) {
  const Index nq = system.nq, n = system.n, ne = system.ne, m = system.m;
  const auto state = [&](double time) -> VectorXd {
    const Motion motion = closed.closed_form(start, {time}).value();
    VectorXd y(nq + n);
    y << motion.q.col(0), motion.v.col(0);
    return y;
  };
  const NumericalDerivative numerical = central_difference(state, t, 1.0 / 64.0);
  const Motion motion = closed.closed_form(start, {t}).value();
  const VectorXd q = motion.q.col(0), v = motion.v.col(0);
  const VectorXd lambda = lambda_sign * motion.lambda.col(0);
  const VectorXd v_rate = numerical.value.col(0).tail(n);
  const Equations<double>& equations = system.in<double>();
  MatrixXd M(n, n), rows(ne + m, n);
  VectorXd F(n), q_rate(nq);
  equations.mass_matrix(q, M);
  equations.constraints(q, rows);
  equations.force(q, v, t, F);
  equations.coordinate_rate(q, v, q_rate);
  VectorXd residual = M * v_rate - F + rows.bottomRows(m).transpose() * lambda;
  if (ne > 0) {
    const MatrixXd Et = rows.topRows(ne).transpose();
    residual -= Et * least_squares(Et, residual);
  }
  const double mass_norm = M.cwiseAbs().rowwise().sum().maxCoeff();
  const double terms = mass_norm * v_rate.cwiseAbs().maxCoeff() + F.cwiseAbs().maxCoeff() +
                       lambda.cwiseAbs().maxCoeff();
  return {.rate = (numerical.value.col(0).head(nq) - q_rate).cwiseAbs().maxCoeff(),
          .balance = residual.cwiseAbs().maxCoeff(),
          .sliding = (rows * v).cwiseAbs().maxCoeff(),
          .rate_bound = numerical.bound,
          .balance_bound = mass_norm * numerical.bound + 32.0 * unit_roundoff * terms,
          .sliding_bound = 4.0 * static_cast<double>(n) * unit_roundoff * v.cwiseAbs().maxCoeff()};
}

}  // namespace rigidlimit::test
