#include "rigidlimit/contact/event_driven/mode_equations.hpp"

namespace rigidlimit {
namespace {

/// Normal rows of closed contacts without a given force.
std::vector<Index> closed_normals(const FrictionalSystem& system, const ContactStates& states) {
  std::vector<Index> rows;
  for (Index i = 0; i < system.nc(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (states[k].closed() && system.contacts[k].normal != Normal::given)
      rows.push_back(system.smooth.m + i);
  }
  return rows;
}

}  // namespace

ModeUnknowns unknowns_of(const FrictionalSystem& system, const VectorXd& given,
                         const ContactStates& states) {
  const Index m = system.smooth.m, all = system.forces();
  ModeUnknowns made{.R = MatrixXd::Zero(all, all), .r0 = VectorXd::Zero(all), .held = {}};
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

MatrixXd displacement_per_gap(const FrictionalSystem& system, const ContactStates& states,
                              const ContactRows& rows, const MatrixXd& gap) {
  const std::vector<Index> held = closed_normals(system, states);
  if (held.empty()) return MatrixXd::Zero(system.smooth.n, gap.cols());
  MatrixXd depth(static_cast<Index>(held.size()), gap.cols());
  for (Index k = 0; k < depth.rows(); ++k)
    depth.row(k) = gap.row(held[static_cast<std::size_t>(k)] - system.smooth.m);
  return rows.response(Eigen::all, held) *
         LeastSolution(rows.delassus(held, held), rank_of_modes).of(depth);
}

}  // namespace rigidlimit
