#include "rigidlimit/contact/event_driven/piece_jacobian.hpp"

#include "rigidlimit/contact/event_driven/mode_equations.hpp"
#include "rigidlimit/contact/event_driven/slip_onset.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {
namespace {

/// ∂d/∂w of the direction d = ±w/|w|, as in slip_direction().
MatrixXd turning_of(const VectorXd& direction, const VectorXd& w) {
  const double length = w.norm();
  const Index k = w.size();
  if (k < 2 || length < least_directed_speed) return MatrixXd::Zero(k, k);
  const double sense = w.dot(direction) < 0.0 ? -1.0 : 1.0;
  return sense / length * (MatrixXd::Identity(k, k) - w * w.transpose() / w.squaredNorm());
}

/// ∂r of all contacts with x fixed, m + nc rows.
MatrixXd reaction_change(const FrictionalSystem& system, const ContactStates& states,
                         const PieceRate& rate, const BalanceDerivatives& d) {
  const Index m = system.smooth.m;
  MatrixXd change = MatrixXd::Zero(system.forces(), d.velocity.cols());
  for (Index i = 0; i < system.nc(); ++i) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
    const ContactState& state = states[static_cast<std::size_t>(i)];
    if (!state.closed()) continue;
    if (contact.normal == Normal::given) change.row(m + i) = d.normal_force.row(i);
    if (state.mode != ContactMode::slip || state.direction.size() == 0) continue;
    const auto rows = [&](auto& of, Index first) {
      return of.middleRows(first, contact.components);
    };
    const MatrixXd turning = turning_of(state.direction, rows(rate.terms.rate, contact.first));
    rows(change, contact.first) =
        -contact.friction * state.push *
        (state.direction * change.row(m + i) +
         rate.reaction(m + i) * turning * rows(d.velocity, system.smooth.ne + contact.first));
  }
  return change;
}

/// κ of M a + Eᵀκ = F + Hᵀr, then −r: the forces on [E; W; N].
VectorXd forces_on_rows(const System& smooth, const PieceRate& rate) {
  const ContactTerms& terms = rate.terms;
  VectorXd right(smooth.n + smooth.ne), forces(terms.body.rows().rows());
  right << terms.body.force() + terms.rows.transpose() * rate.reaction,
      terms.body.rows().topRows(smooth.ne) * rate.acceleration;
  forces << terms.inertia.solve_whole(right).bottomRows(smooth.ne), -rate.reaction;
  return forces;
}

}  // namespace

void piece_jacobian(const FrictionalSystem& system, const ContactStates& states, const VectorXd& q,
                    const VectorXd& v, double t, const VectorXd& compliance, MatrixOut J) {
  const System& smooth = system.smooth;
  const PieceRate rate = piece_rate(system, states, q, v, t, compliance);
  const ContactTerms& terms = rate.terms;
  const ContactStates directed = directions_at(system, states, terms, compliance);
  const BalanceDerivatives d = smooth.tapes->contact_balance().derivatives(
      t, q, v, rate.acceleration, forces_on_rows(smooth, rate));
  const MatrixXd rates = d.acceleration + d.drift + exact_constraint_recovery * d.velocity;

  MatrixXd left(smooth.n + smooth.ne, J.cols());
  left << d.force - d.load + terms.rows.transpose() * reaction_change(system, directed, rate, d),
      -rates.topRows(smooth.ne);
  MatrixXd change = terms.inertia.solve_whole(left).topRows(smooth.n);
  const ModeUnknowns unknowns = unknowns_of(system, terms.normal_force, directed);
  if (!unknowns.held.empty()) {
    const LeastSolution solution((terms.delassus * unknowns.R)(unknowns.held, Eigen::all),
                                 rank_of_modes);
    const MatrixXd off = -rates.bottomRows(system.forces()) - terms.rows * change;
    change += terms.response * unknowns.R * solution.of(off(unknowns.held, Eigen::all));
  }
  J << d.coordinate_rate, change;
  const MatrixXd back =
      exact_constraint_recovery * displacement_per_gap(system, directed, terms, d.gap);
  VectorXd drawn(smooth.nq);
  for (Index k = 0; k < J.cols(); ++k) {
    smooth.in<double>().coordinate_rate(q, back.col(k), drawn);
    J.col(k).head(smooth.nq) -= drawn;
  }
}

}  // namespace rigidlimit
