#include "support/motion_balance.hpp"

#include <algorithm>

#include "support/central_difference.hpp"

namespace rigidlimit::test {

double imbalance(const System& closed, const System& judge, const InitialState& start, double t,
                 double lambda_sign) {
  const Index nq = judge.nq, n = judge.n, m = judge.m;
  const auto state = [&](double time) -> VectorXd {
    const Motion motion = closed.closed_form(start, {time}).value();
    VectorXd y(nq + n);
    y << motion.q.col(0), motion.v.col(0);
    return y;
  };
  const NumericalDerivative rate = central_difference(state, t, 1.0 / 64.0);
  const Motion motion = closed.closed_form(start, {t}).value();
  const VectorXd q = motion.q.col(0), v = motion.v.col(0);
  const VectorXd lambda = lambda_sign * motion.lambda.col(0);
  VectorXd q_rate(nq), F(n);
  MatrixXd M(n, n), G(m, n);
  const Equations<double>& equations = judge.in<double>();
  equations.coordinate_rate(q, v, q_rate);
  equations.mass_matrix(q, M);
  equations.force(q, v, t, F);
  equations.constraints(q, G);

  const VectorXd v_rate = rate.value.col(0).tail(n);
  const VectorXd residual = M * v_rate - F + G.transpose() * lambda;
  const double mass_norm = M.cwiseAbs().rowwise().sum().maxCoeff();
  const VectorXd forces = G.cwiseAbs().transpose() * lambda.cwiseAbs();
  const double terms =
      mass_norm * v_rate.cwiseAbs().maxCoeff() + F.cwiseAbs().maxCoeff() + forces.maxCoeff();
  const VectorXd speeds = G.cwiseAbs() * v.cwiseAbs();
  const double balance_bound = mass_norm * rate.bound + 32.0 * unit_roundoff * terms;
  const double sliding_bound = 4.0 * static_cast<double>(n) * unit_roundoff * speeds.maxCoeff();
  return std::max({(rate.value.col(0).head(nq) - q_rate).cwiseAbs().maxCoeff() / rate.bound,
                   residual.cwiseAbs().maxCoeff() / balance_bound,
                   (G * v).cwiseAbs().maxCoeff() / sliding_bound});
}

}  // namespace rigidlimit::test
