#include "rigidlimit/nonsmooth/fixed_modes.hpp"

#include <cmath>

#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {
namespace {

/// Below it, relative to the largest, a pivot is zero: contacts are redundant.
constexpr double rank_threshold = 1e-11;

/// Unknowns x of the linear problem, r = R x + r0, and the rows of A r + free that they hold.
struct Unknowns {
  MatrixXd R;
  VectorXd r0;
  std::vector<Index> held;
};

Unknowns unknowns_of(const FrictionalSystem& system, const VectorXd& given,
                     const ContactStates& states) {
  const Index m = system.smooth.m, all = system.forces();
  Unknowns made{.R = MatrixXd::Zero(all, all), .r0 = VectorXd::Zero(all), .held = {}};
  const auto next = [&] { return static_cast<Index>(made.held.size()); };
  for (Index i = 0; i < system.nc(); ++i) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
    const ContactState& state = states[static_cast<std::size_t>(i)];
    if (!state.closed()) continue;
    const bool slips = state.mode == ContactMode::slip && state.direction.size() > 0;
    const VectorXd friction =
        slips ? VectorXd(-contact.friction * state.push * state.direction) : VectorXd();
    if (state.mode == ContactMode::stick)
      for (Index k = contact.first; k < contact.first + contact.components; ++k) {
        made.R(k, next()) = 1.0;
        made.held.push_back(k);
      }
    if (contact.normal == Normal::given) {
      made.r0(m + i) = given(i);
      if (slips) made.r0.segment(contact.first, contact.components) = given(i) * friction;
      continue;
    }
    made.R(m + i, next()) = 1.0;
    if (slips) made.R.col(next()).segment(contact.first, contact.components) = friction;
    made.held.push_back(m + i);
  }
  made.R.conservativeResize(all, next());
  return made;
}

VectorXd at(const VectorXd& values, const std::vector<Index>& entries) {
  return values(entries);
}

/// x of least xᵀ D x among those nearest to K x = right.
VectorXd least_solution(const MatrixXd& K, const VectorXd& right, const VectorXd& D,
                        bool& redundant) {
  const VectorXd scale = D.cwiseSqrt().cwiseInverse();
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
  factors.setThreshold(rank_threshold);
  factors.compute(K * scale.asDiagonal());
  redundant = factors.rank() < K.cols();
  return scale.cwiseProduct(factors.solve(right));
}

/// Normal rows of closed contacts that are not given.
std::vector<Index> closed_normals(const FrictionalSystem& system, const ContactStates& states) {
  std::vector<Index> rows;
  for (Index i = 0; i < system.nc(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (states[k].closed() && system.contacts[k].normal != Normal::given)
      rows.push_back(system.smooth.m + i);
  }
  return rows;
}

/// M⁻¹Nᵀ (N M⁻¹ Nᵀ)⁺ g of the closed contacts, n.
VectorXd way_out(const FrictionalSystem& system, const ContactStates& states,
                 const ContactRows& rows, const VectorXd& gap) {
  const std::vector<Index> held = closed_normals(system, states);
  if (held.empty()) return VectorXd::Zero(system.smooth.n);
  VectorXd depth(static_cast<Index>(held.size()));
  for (Index k = 0; k < depth.size(); ++k)
    depth(k) = gap(held[static_cast<std::size_t>(k)] - system.smooth.m);
  const MatrixXd A = rows.delassus(held, held);
  bool redundant = false;
  const VectorXd p = least_solution(A, depth, VectorXd::Ones(depth.size()), redundant);
  return rows.response(Eigen::all, held) * p;
}

/// Directions of slipping at these sliding velocities.
ContactStates with_directions(const FrictionalSystem& system, ContactStates states,
                              const VectorXd& rate) {
  for (std::size_t i = 0; i < states.size(); ++i) {
    const ContactPoint& contact = system.contacts[i];
    if (states[i].direction.size() > 1)
      states[i].direction =
          slip_direction(rate.segment(contact.first, contact.components), states[i].direction);
  }
  return states;
}

}  // namespace

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
  if (length < 1e-8) return forward;
  return (w.dot(forward) < 0.0 ? -1.0 : 1.0) / length * w;
}

FixedModeReaction reaction_of_modes(const FrictionalSystem& system, const MatrixXd& delassus,
                                    const VectorXd& free, const VectorXd& target,
                                    const VectorXd& given, const ContactStates& states,
                                    const VectorXd& compliance) {
  const Unknowns unknowns = unknowns_of(system, given, states);
  FixedModeReaction answer{.reaction = unknowns.r0};
  if (unknowns.held.empty()) return answer;
  const VectorXd rate = delassus * unknowns.r0 + free;
  const MatrixXd K = (delassus * unknowns.R)(unknowns.held, Eigen::all);
  const VectorXd weight =
      compliance.size() > 0 ? compliance : VectorXd(VectorXd::Ones(system.forces()));
  const VectorXd D = unknowns.R.cwiseAbs2().transpose() * weight;
  const VectorXd x =
      least_solution(K, at(target, unknowns.held) - at(rate, unknowns.held), D, answer.redundant);
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
      terms.normal_force, with_directions(system, states, terms.rate), compliance);
  rate.reaction = reaction;
  rate.redundant = redundant;
  rate.acceleration = terms.acceleration + terms.response * reaction;
  const VectorXd back = way_out(system, states, terms, terms.gap);
  rate.q_rate = restored_rate(system.smooth, q, v - exact_constraint_recovery * back);
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
    system.in<double>().gap(q, gap);
    const VectorXd back = way_out(system, states, contact_rows(system, q), gap);
    system.smooth.in<double>().coordinate_rate(q, back, change);
    q -= change;
  }
  return q;
}

}  // namespace rigidlimit
