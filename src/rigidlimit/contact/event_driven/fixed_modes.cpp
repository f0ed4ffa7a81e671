#include "rigidlimit/contact/event_driven/fixed_modes.hpp"

#include <cmath>

#include "rigidlimit/contact/event_driven/mode_equations.hpp"
#include "rigidlimit/contact/event_driven/slip_onset.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

std::vector<ContactMode> modes_of(const ContactStates& states) {
  std::vector<ContactMode> modes;
  for (const ContactState& state : states) modes.push_back(state.mode);
  return modes;
}

bool has_friction(const ContactPoint& contact) {
  return contact.components > 0 && contact.friction > 0.0;
}

VectorXd slip_direction(const VectorXd& w, const VectorXd& forward) {
  const double length = w.norm();
  if (length < least_directed_speed) return forward;
  return (w.dot(forward) < 0.0 ? -1.0 : 1.0) / length * w;
}

FixedModeReaction reaction_of_modes(const FrictionalSystem& system, const MatrixXd& delassus,
                                    const VectorXd& free, const VectorXd& target,
                                    const VectorXd& given, const ContactStates& states,
                                    const VectorXd& compliance) {
  const ModeUnknowns unknowns = unknowns_of(system, given, states);
  FixedModeReaction answer{.reaction = unknowns.r0};
  if (unknowns.held.empty()) return answer;
  const VectorXd rate = delassus * unknowns.r0 + free;
  const LeastSolution solution((delassus * unknowns.R)(unknowns.held, Eigen::all), rank_of_modes);
  answer.redundant = solution.redundant();
  const VectorXd weight =
      compliance.size() > 0 ? compliance : VectorXd(VectorXd::Ones(system.forces()));
  const VectorXd D = unknowns.R.cwiseAbs2().transpose() * weight;
  const VectorXd x = solution.of(VectorXd(target - rate)(unknowns.held), D);
  answer.reaction += unknowns.R * x;
  return answer;
}

MatrixXd reaction_directions(const FrictionalSystem& system, const ContactStates& states,
                             const VectorXd& rate) {
  return unknowns_of(system, VectorXd::Zero(system.nc()), with_directions(system, states, rate)).R;
}

PieceRate piece_rate(const FrictionalSystem& system, const ContactStates& states, const VectorXd& q,
                     const VectorXd& v, double t, const VectorXd& compliance) {
  PieceRate rate{.terms = contact_terms(system, q, v, t)};
  const ContactTerms& terms = rate.terms;
  const auto [reaction, redundant] = reaction_of_modes(
      system, terms.delassus, terms.free, -exact_constraint_recovery * terms.rate,
      terms.normal_force, directions_at(system, states, terms, compliance), compliance);
  rate.reaction = reaction;
  rate.redundant = redundant;
  rate.acceleration = terms.acceleration + terms.response * reaction;
  const VectorXd back = displacement_per_gap(system, states, terms, terms.gap);
  rate.q_rate.resize(system.smooth.nq);
  system.smooth.in<double>().coordinate_rate(q, -exact_constraint_recovery * back, rate.q_rate);
  rate.q_rate += terms.body.coordinate_rate();
  return rate;
}

VectorXd velocity_within(const FrictionalSystem& system, const ContactStates& states,
                         const VectorXd& q, const VectorXd& v, const VectorXd& compliance) {
  const ContactRows rows = contact_rows(system, q);
  const VectorXd rate = rows.rows * v, zero = VectorXd::Zero(system.forces());
  const auto answer =
      reaction_of_modes(system, rows.delassus, rate, zero, VectorXd::Zero(system.nc()),
                        with_directions(system, states, rate), compliance);
  return v + rows.response * answer.reaction;
}

VectorXd configuration_within(const FrictionalSystem& system, const ContactStates& states,
                              VectorXd q) {
  VectorXd gap(system.nc()), change(system.smooth.nq);
  for (int k = 0; k < 3; ++k) {
    system.geometry->gap(q, gap);
    const VectorXd back = displacement_per_gap(system, states, contact_rows(system, q), gap);
    system.smooth.in<double>().coordinate_rate(q, back, change);
    q -= change;
  }
  return q;
}

}  // namespace rigidlimit
