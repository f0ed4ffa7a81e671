#include "rigidlimit/contact/event_driven/mode_decision.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/contact/contact_problem.hpp"
#include "rigidlimit/contact/start_check.hpp"

namespace rigidlimit {
namespace {

/// Entries of contact i among the sliding rows.
VectorXd sliding_part(const FrictionalSystem& system, Index i, const VectorXd& values) {
  const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
  return values.segment(contact.first, contact.components);
}

VectorXd unit(const VectorXd& x, const VectorXd& otherwise) {
  const double length = x.norm();
  return length > 0.0 ? VectorXd(x / length) : otherwise;
}

/// Direction of a contact that begins to slip: that of its acceleration, or, exactly on the rim of
/// the disc, that of the resisting force.
VectorXd beginning(const VectorXd& acceleration, const VectorXd& lambda, double force_size) {
  const VectorXd way = unit(lambda, VectorXd::Unit(lambda.size(), 0));
  const double moving = acceleration.norm();
  return moving > 1e-9 * std::max(force_size, 1e-300) ? VectorXd(acceleration / moving) : way;
}

ContactStates states_of(const FrictionalSystem& system, const std::vector<ActiveContact>& active,
                        const ContactSolution& solution, const VectorXd& free) {
  ContactStates states(static_cast<std::size_t>(system.nc()));
  const VectorXd reaction = reaction_of_all(system, active, solution.reaction);
  const VectorXd rate = reaction_of_all(system, active, solution.rate);
  for (std::size_t k = 0; k < active.size(); ++k) {
    const Index i = active[k].which;
    ContactState& state = states[static_cast<std::size_t>(i)];
    state.mode = solution.modes[k];
    const double p = reaction(system.smooth.m + i);
    state.push = p < 0.0 ? -1.0 : 1.0;
    if (state.mode != ContactMode::slip ||
        !has_friction(system.contacts[static_cast<std::size_t>(i)]))
      continue;
    state.begins = !active[k].slipping;
    state.direction = active[k].slipping ? *active[k].slipping
                                         : beginning(sliding_part(system, i, rate),
                                                     -sliding_part(system, i, reaction),
                                                     free.cwiseAbs().maxCoeff());
  }
  return states;
}

int modes_kept(const ContactStates& before, const ContactStates& after) {
  int kept = 0;
  for (std::size_t i = 0; i < after.size() && i < before.size(); ++i)
    kept += before[i].mode == after[i].mode ? 1 : 0;
  return kept;
}

ModeDecision decide(const FrictionalSystem& system, const ContactTerms& terms, const Instant& at,
                    const std::vector<ActiveContact>& active, const ContactStates& before,
                    const NonsmoothOptions& options) {
  ModeDecision decision;
  if (active.empty()) {
    decision.found = true;
    decision.states.resize(static_cast<std::size_t>(system.nc()));
    return decision;
  }
  const auto answers = solve_contact_problem(contact_problem_of(
      system, terms, terms.free, terms.normal_force, active, options.compliance));
  int best = -1;
  for (const ContactSolution& answer : answers) {
    const ContactStates states = states_of(system, active, answer, terms.free);
    decision.answers.push_back(text_of(modes_of(states)));
    if (modes_kept(before, states) <= best) continue;
    best = modes_kept(before, states);
    decision.states = states;
    decision.found = true;
  }
  if (answers.size() > 1)
    decision.notes.push_back(fmt::format(
        "t = {:.12g}: {} motions {} ({}); used: {}", at.t, answers.size(), several_solutions,
        fmt::join(decision.answers, " or "), text_of(modes_of(decision.states))));
  return decision;
}

bool same(const ContactStates& one, const ContactStates& other) {
  for (std::size_t i = 0; i < one.size(); ++i)
    if (one[i].mode != other[i].mode || one[i].push != other[i].push) return false;
  return true;
}

bool is_cause(const PieceEnd& end, PieceEndKind kind, Index which) {
  return std::any_of(end.causes.begin(), end.causes.end(), [&](const PieceEndCause& cause) {
    return cause.kind == kind && cause.which == which;
  });
}

bool force_at_its_bound(const PieceEnd& end) {
  return std::any_of(end.causes.begin(), end.causes.end(), [](const PieceEndCause& cause) {
    return cause.kind == PieceEndKind::opens || cause.kind == PieceEndKind::slips ||
           cause.kind == PieceEndKind::exhausted || cause.kind == PieceEndKind::turns;
  });
}

/// Closed contacts of the piece, and those that have just closed. A slipping contact continues to
/// slip unless it has stopped.
std::vector<ActiveContact> active_after(const FrictionalSystem& system, const PieceEnd& end,
                                        const ContactTerms& terms, const ContactStates& before,
                                        const NonsmoothOptions& options) {
  const ZeroBounds zero = zero_bounds(system, terms, end.at, options);
  const std::vector<bool> touching = in_contact(system, terms, zero);
  std::vector<ActiveContact> active;
  for (Index i = 0; i < system.nc(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!before[k].closed() && !touching[k]) continue;
    ActiveContact one{.which = i};
    const VectorXd w = sliding_part(system, i, terms.rate);
    const bool friction = has_friction(system.contacts[k]);
    if (friction && before[k].mode == ContactMode::slip && before[k].direction.size() > 0) {
      if (!is_cause(end, PieceEndKind::stops, i))
        one.slipping = slip_direction(w, before[k].direction);
    } else if (friction && before[k].mode != ContactMode::stick &&
               zero.slides(system.contacts[k], w)) {
      one.slipping = w / w.norm();
    }
    active.push_back(one);
  }
  return active;
}

}  // namespace

std::string text_of(const System& system, const Instant& at) {
  return fmt::format("t = {:.12g}, {}", at.t, text_of_state(system, at.q, at.v));
}

std::vector<bool> in_contact(const FrictionalSystem& system, const ContactTerms& terms,
                             const ZeroBounds& zero) {
  std::vector<bool> touching;
  for (Index i = 0; i < system.nc(); ++i)
    touching.push_back(system.contacts[static_cast<std::size_t>(i)].normal != Normal::unilateral ||
                       (terms.gap(i) <= zero.gap(i) &&
                        terms.rate(system.smooth.m + i) <= zero.speed(system.smooth.m + i)));
  return touching;
}

ModeDecision decide_modes(const FrictionalSystem& system, const Instant& at,
                          const ContactStates& before, const NonsmoothOptions& options) {
  const ContactTerms terms = contact_terms(system, at.q, at.v, at.t);
  const ZeroBounds zero = zero_bounds(system, terms, at, options);
  const std::vector<bool> touching = in_contact(system, terms, zero);
  std::vector<ActiveContact> active;
  for (Index i = 0; i < system.nc(); ++i) {
    if (!touching[static_cast<std::size_t>(i)]) continue;
    ActiveContact one{.which = i};
    const VectorXd w = sliding_part(system, i, terms.rate);
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
    if (has_friction(contact) && zero.slides(contact, w)) one.slipping = w / w.norm();
    active.push_back(one);
  }
  return decide(system, terms, at, active, before, options);
}

ModeDecision decide_modes_after(const FrictionalSystem& system, const PieceEnd& end,
                                const ContactStates& before, const NonsmoothOptions& options) {
  const Instant& at = end.at;
  const ContactTerms now = contact_terms(system, at.q, at.v, at.t);
  const std::vector<ActiveContact> active = active_after(system, end, now, before, options);
  if (!force_at_its_bound(end)) return decide(system, now, at, active, before, options);
  const PieceRate rate = piece_rate(system, before, at.q, at.v, at.t, options.compliance);
  ModeDecision decision;
  for (double later = 1e-6; later < 2e-3; later *= 10.0) {
    const Instant ahead{
        .t = at.t + later, .q = at.q + later * rate.q_rate, .v = at.v + later * rate.acceleration};
    decision = decide(system, contact_terms(system, ahead.q, ahead.v, ahead.t), ahead, active,
                      before, options);
    if (!decision.found || !same(decision.states, before)) return decision;
  }
  decision.notes.push_back(
      fmt::format("t = {:.12g}: a force reaches its bound without a change of modes", at.t));
  return decision;
}

VectorXd forces_within(const FrictionalSystem& system, const ContactStates& states,
                       const Instant& at, const NonsmoothOptions& options) {
  const PieceRate rate = piece_rate(system, states, at.q, at.v, at.t, options.compliance);
  if (!rate.redundant) return forces_of(system, rate.reaction);
  std::vector<ActiveContact> active;
  std::vector<ContactMode> modes;
  for (Index i = 0; i < system.nc(); ++i) {
    const ContactState& state = states[static_cast<std::size_t>(i)];
    if (!state.closed()) continue;
    ActiveContact one{.which = i};
    if (state.direction.size() > 0)
      one.slipping = slip_direction(sliding_part(system, i, rate.terms.rate), state.direction);
    active.push_back(one);
    modes.push_back(state.mode);
  }
  const ContactProblem problem = contact_problem_of(
      system, rate.terms, rate.terms.free, rate.terms.normal_force, active, options.compliance);
  std::vector<ContactSolution> answers = solutions_in_modes(problem, modes);
  if (answers.empty()) answers = solve_contact_problem(problem);  // a mode is at its bound
  const VectorXd* best = nullptr;
  double nearest = 0.0;
  for (const ContactSolution& answer : answers) {
    const VectorXd all = reaction_of_all(system, active, answer.reaction);
    const double distance = (rate.terms.response * (all - rate.reaction)).norm();
    if (best != nullptr && distance >= nearest) continue;
    best = &answer.reaction;
    nearest = distance;
  }
  if (best == nullptr) return forces_of(system, rate.reaction);
  return forces_of(system, reaction_of_all(system, active, *best));
}

}  // namespace rigidlimit
