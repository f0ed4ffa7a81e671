#include "rigidlimit/asymptotics/frictional/piece_flow.hpp"

#include "rigidlimit/contact/event_driven/mode_equations.hpp"
#include "rigidlimit/contact/event_driven/piece_jacobian.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

VectorXd q_and_v(const VectorXd& q, const VectorXd& v) {
  VectorXd y(q.size() + v.size());
  y << q, v;
  return y;
}

VectorXd PieceFlow::rate(double t, const VectorXd& y) const {
  const PieceRate at = rate_at(t, y);
  VectorXd both(y.size());
  both << at.q_rate, at.acceleration;
  return both;
}

MatrixXd PieceFlow::jacobian(double t, const VectorXd& y) const {
  MatrixXd J(y.size(), y.size());
  piece_jacobian(system_, states_, y.head(system_.smooth.nq), y.tail(system_.smooth.n), t,
                 compliance_, J);
  return J;
}

VectorXd PieceFlow::forces(double t, const VectorXd& y) const {
  return forces_of(system_, rate_at(t, y).reaction);
}

std::pair<VectorXd, VectorXd> PieceFlow::force_rates(double t, const VectorXd& y,
                                                     const MatrixXd& J) const {
  const double h = step_;
  const VectorXd f = rate(t, y), f_t = (rate(t + h, y) - rate(t - h, y)) / (2.0 * h);
  const VectorXd second = J * f + f_t;
  const auto along = [&](double s) { return forces(t + s, y + s * f + 0.5 * s * s * second); };
  const VectorXd before = along(-h), at = forces(t, y), after = along(h);
  return {(after - before) / (2.0 * h), (after - 2.0 * at + before) / (h * h)};
}

PieceFlow::Response PieceFlow::response_to(double t, const VectorXd& y,
                                           const VectorXd& w_rate) const {
  const PieceRate at = rate_at(t, y);
  const ModeUnknowns unknowns =
      unknowns_of(system_, at.terms.normal_force, with_directions(system_, states_, at.terms.rate));
  VectorXd reaction = VectorXd::Zero(system_.forces());
  if (!unknowns.held.empty()) {
    MatrixXd target = MatrixXd::Zero(system_.forces(), 1);
    target.topRows(system_.smooth.m) = w_rate;
    const LeastSolution solution((at.terms.delassus * unknowns.R)(unknowns.held, Eigen::all),
                                 rank_of_modes);
    reaction = unknowns.R * solution.of(MatrixXd(target(unknowns.held, Eigen::all)));
  }
  return {at.terms.response * reaction, forces_of(system_, reaction)};
}

PieceRate PieceFlow::rate_at(double t, const VectorXd& y) const {
  return piece_rate(system_, states_, y.head(system_.smooth.nq), y.tail(system_.smooth.n), t,
                    compliance_);
}

}  // namespace rigidlimit
