#include "rigidlimit/formulations/frictional/frictional_jacobian.hpp"

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

/// ∂p (nc × K) and ∂λ (m × K), at first with (a, κ, p_b) fixed.
struct FrictionalDerivatives::Forces {
  MatrixXd p, lambda;
};

void FrictionalDerivatives::write_jacobian(double t, VectorIn y, MatrixOut J) {
  const FrictionalShape& s = rate_.shape();
  rate_.balance(t, y);
  VectorXd load(s.normal_at() + s.nc);
  load << rate_.accelerations().segment(s.n, s.ne), rate_.friction(), -rate_.normal_forces();
  J = change(y, MatrixXd::Identity(s.size(), s.size()),
             rate_.tapes().derivatives(t, y.head(s.nq), y.segment(s.nq, s.n),
                                       rate_.accelerations().head(s.n), load));
}

void FrictionalDerivatives::write_time_derivative(double t, VectorIn y, VectorOut f) {
  const FrictionalShape& s = rate_.shape();
  rate_.balance(t, y);
  f = change(y, MatrixXd::Zero(s.size(), 1),
             rate_.tapes().time_derivatives(t, y.head(s.nq), y.segment(s.nq, s.n)));
}

/// ∂s/∂q, s the mobility 1/m_eff of contact i.
VectorXd FrictionalDerivatives::mobility_gradient(Index i, VectorIn q) const {
  const FrictionalShape& s = rate_.shape();
  const VectorXd& response = rate_.response(i);
  VectorXd load = VectorXd::Zero(s.normal_at() + s.nc);
  load(s.held) = 2.0 * response.tail(s.held_count());
  load(s.normal_at() + i) = -2.0;
  return -rate_.tapes().load_gradient(q, response.head(s.n), load);
}

/// ∂p of contact i: m_eff = 1/s.
void FrictionalDerivatives::add_unilateral(Index i, VectorIn y, const MatrixXd& dy,
                                           Forces& changes) const {
  const FrictionalShape& s = rate_.shape();
  const CompliantContact& c = rate_.contacts()[static_cast<std::size_t>(i)];
  const Index gamma = s.gap_at() + c.unilateral, h = s.gap_rate_at() + c.unilateral;
  changes.p.row(i).setZero();
  if (!rate_.closed(c, y)) return;
  const double mass = rate_.effective_mass(i);
  const UnilateralSlope slope = unilateral_slope(c, y(gamma), y(h), mass);
  changes.p.row(i) = slope.gamma * dy.row(gamma) + slope.h * dy.row(h);
  if (slope.effective_mass != 0.0)
    changes.p.row(i) -= slope.effective_mass * mass * mass *
                        (mobility_gradient(i, y.head(s.nq)).transpose() * dy.topRows(s.nq));
}

FrictionalDerivatives::Forces FrictionalDerivatives::force_changes(
    VectorIn y, const MatrixXd& dy, const BalanceDerivatives& d) const {
  const FrictionalShape& s = rate_.shape();
  Forces changes{MatrixXd::Zero(s.nc, dy.cols()), MatrixXd(s.m, dy.cols())};
  for (Index i = 0; i < s.nc; ++i) {
    const CompliantContact& c = rate_.contacts()[static_cast<std::size_t>(i)];
    if (c.normal == Normal::given)
      changes.p.row(i).head(d.normal_force.cols()) = d.normal_force.row(i);
    if (c.unilateral >= 0) add_unilateral(i, y, dy, changes);
    const Index w = s.sliding_at() + c.first, stored = s.springs > 0 ? c.components : 0;
    const Index eta = s.deflection_at() + (s.springs > 0 ? c.first : 0);
    const FrictionSlope slope = friction_slope(c, rate_.normal_forces()(i), y.segment(eta, stored),
                                               y.segment(w, c.components));
    MatrixXd pull = dy.middleRows(w, c.components);
    if (stored > 0) pull = c.stiffness * dy.middleRows(eta, stored) + c.damping * pull;
    changes.lambda.middleRows(c.first, c.components) =
        slope.by_force * changes.p.row(i) + slope.by_pull * pull;
  }
  return changes;
}

/// ∂x; adds to ∂λ the contribution of ∂p_b.
MatrixXd FrictionalDerivatives::solve(const BalanceDerivatives& d, Forces& changes) const {
  const FrictionalShape& s = rate_.shape();
  const Index moved = d.force.cols();
  const auto X = rate_.terms().rows();
  constexpr double k = exact_constraint_recovery;
  MatrixXd left = MatrixXd::Zero(s.n + s.held_count(), changes.p.cols());
  left.topRows(s.n) = X.bottomRows(s.nc).transpose() * changes.p;
  left.topRows(s.n) -= X.middleRows(s.ne, s.m).transpose() * changes.lambda;
  left.topLeftCorner(s.n, moved) += d.force - d.load;
  left.bottomLeftCorner(s.held_count(), moved) =
      -(d.drift + d.acceleration)(s.held, Eigen::all) -
      s.recovery.asDiagonal() * d.velocity(s.held, Eigen::all);
  for (Index b = 0; b < s.bilateral; ++b)
    left.row(s.n + s.ne + b).head(moved) -=
        k * k * d.gap.row(s.held[static_cast<std::size_t>(s.ne + b)] - s.normal_at());
  MatrixXd change = rate_.inertia().solve_whole(left);
  if (s.bilateral == 0) return change;
  const MatrixXd& response = rate_.friction_response();
  const MatrixXd& L = rate_.friction_slope();
  const MatrixXd J =
      MatrixXd::Identity(s.bilateral, s.bilateral) - response.bottomRows(s.bilateral) * L;
  const MatrixXd owed = L * LuFactors<double>(J).solve(MatrixXd(-change.bottomRows(s.bilateral)));
  changes.lambda += owed;
  return change - response * owed;
}

MatrixXd FrictionalDerivatives::change(VectorIn y, const MatrixXd& dy,
                                       const BalanceDerivatives& d) const {
  const FrictionalShape& s = rate_.shape();
  const Index moved = d.force.cols();
  constexpr double k = exact_constraint_recovery;
  Forces changes = force_changes(y, dy, d);
  MatrixXd f = MatrixXd::Zero(s.size(), dy.cols());
  f.topLeftCorner(s.nq, moved) = d.coordinate_rate;
  f.middleRows(s.nq, s.n) = solve(d, changes).topRows(s.n);
  MatrixXd contact_rate = rate_.terms().rows() * f.middleRows(s.nq, s.n);
  contact_rate.leftCols(moved) += d.acceleration + d.drift + k * d.velocity;
  f.middleRows(s.sliding_at(), s.m) =
      contact_rate.middleRows(s.ne, s.m) - k * dy.middleRows(s.sliding_at(), s.m);
  for (const CompliantContact& c : rate_.contacts()) {
    if (s.springs > 0) {
      const Index eta = s.deflection_at() + c.first;
      f.middleRows(eta, c.components) = (changes.lambda.middleRows(c.first, c.components) -
                                         c.stiffness * dy.middleRows(eta, c.components)) /
                                        (c.damping * c.deflection_scale);
    }
    if (c.unilateral < 0) continue;
    const Index h = s.gap_rate_at() + c.unilateral, i = &c - rate_.contacts().data();
    f.row(s.gap_at() + c.unilateral) = dy.row(h) / rate_.epsilon();
    f.row(h) = contact_rate.row(s.normal_at() + i) - k * dy.row(h);
  }
  return f;
}

}  // namespace rigidlimit
