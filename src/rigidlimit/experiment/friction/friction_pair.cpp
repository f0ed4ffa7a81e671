#include "rigidlimit/experiment/friction/friction_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

/// The event of a rigid motion that corresponds to a root of a kink; empty: none.
std::optional<CompliantEvent> event_of(const CompliantKink& kink, const Root& root) {
  const bool up = root.direction > 0;
  switch (kink.kind) {
    case CompliantKink::Kind::contact:
      return CompliantEvent{root.t, up ? EventKind::touch : EventKind::detachment, kink.which};
    case CompliantKink::Kind::rim:
      return CompliantEvent{root.t, up ? EventKind::slip : EventKind::stick, kink.which};
    case CompliantKink::Kind::geometry: return CompliantEvent{root.t, EventKind::kink, -1};
    case CompliantKink::Kind::sign: break;
  }
  return std::nullopt;
}

std::vector<CompliantEvent> events_of(const FrictionalSystem& system,
                                      const std::vector<Root>& roots) {
  const std::vector<CompliantKink> kinks = kinks_of(system);
  std::vector<CompliantEvent> events;
  for (const Root& root : roots)
    if (const auto event = event_of(kinks.at(static_cast<std::size_t>(root.which)), root))
      events.push_back(*event);
  return events;
}

SolveOptions options_of(const FrictionStudy& study, bool tighter,
                        const std::function<bool()>& stop_requested) {
  const FrictionSolvers& s = study.solvers;
  const double factor = tighter ? s.tighten : 1.0;
  SolveOptions options;
  options.rtol = factor * s.rtol;
  options.atol = factor * s.atol;
  options.max_steps = s.max_steps;
  options.stop_requested = stop_requested;
  return options;
}

void solve(const FrictionStudy& study, const std::vector<double>& times,
           const SolveOptions& options, FrictionMotion& one) {
  const FrictionalLaw law = law_of(study, one.solve.law);
  MotionProblem<OdeProblem> problem =
      frictional_compliant(study.model, study.initial, law, one.solve.epsilon,
                           study.solvers.locate_kinks ? Closing::located : Closing::crossed);
  if (!study.solvers.locate_kinks) problem.problem.roots = nullptr;
  const Solution solution =
      find_ode_method(one.solve.solver)->solve(problem.problem, times, options);
  static_cast<SolveEnd&>(one.solve) = solution;
  one.solve.roots = static_cast<int>(solution.roots.size());
  one.motion = problem.motion(solution);
  one.events = events_of(study.model, solution.roots);
}

/// The kind of rigid event that corresponds to a change of a compliant contact.
EventKind compliant_word(EventKind kind) {
  if (kind == EventKind::impact) return EventKind::touch;
  return kind == EventKind::reversal ? EventKind::stick : kind;
}

}  // namespace

FrictionMotion solve_compliant(const FrictionStudy& study, FrictionMotion one,
                               const std::vector<double>& times,
                               const std::function<bool()>& stop_requested) {
  try {
    solve(study, times, options_of(study, one.solve.tighter, stop_requested), one);
  } catch (const InputError& error) {
    one.solve.outcome = Outcome::solver_error;
    one.solve.message = error.what();
  }
  return one;
}

double matched_time(const ContactEvent& event, const std::vector<CompliantEvent>& events) {
  double nearest = std::numeric_limits<double>::quiet_NaN();
  for (const CompliantEvent& other : events) {
    const bool kink = event.kind == EventKind::kink;
    if (other.kind != compliant_word(event.kind)) continue;
    if (!kink && std::ranges::find(event.contacts, other.contact) == event.contacts.end()) continue;
    if (!(std::abs(other.t - event.t) >= std::abs(nearest - event.t))) nearest = other.t;
  }
  return nearest;
}

}  // namespace rigidlimit
