#include "rigidlimit/experiment/friction/judge_friction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "rigidlimit/contact/contact_terms.hpp"
#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/experiment/judge/judge_series.hpp"
#include "rigidlimit/experiment/pair/comparison.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "rigidlimit/formulations/frictional/frictional_forces.hpp"
#include "rigidlimit/mechanics/precise_motion.hpp"

namespace rigidlimit {

namespace {

bool arrived(const CompliantMotion& one) {
  return one.outcome == Outcome::success;
}

std::vector<Measure> measures_in(const FrictionStudy& study) {
  std::vector<Measure> measures = measures_of(common_quantities, friction_norms, friction_windows);
  measures.insert(measures.end(), study.components.begin(), study.components.end());
  return measures;
}

Differences differences_of(const RigidSide& rigid, const Motion& off_reference,
                           const CompliantPair& pair) {
  Differences d;
  if (!arrived(pair.base)) return d;
  const Motion& motion = pair.base.motion.rounded;
  const auto positions = positions_in(rigid.times, motion.times);
  d.model = difference(motion, restricted(rigid.judged, positions));
  d.rounding = rounding_of(motion, rigid.judged);
  d.reference = restricted(off_reference, positions);
  if (arrived(pair.tighter)) d.solver = difference(motion, pair.tighter.motion.rounded);
  return d;
}

/// Relative error of a prediction: difference quotients along the motion, and layers solved across
/// their kinks.
constexpr double event_prediction_error = 1e-6;

/// The windows of the rigid motion, with the events of the compliant one as further corners.
Windows windows_of(const RigidSide& rigid, const CompliantPair& pair) {
  Windows windows = rigid.windows;
  for (const CompliantEvent& event : pair.base.events) windows.breaks.push_back(event.t);
  return windows;
}

FrictionTerms::Part part_in(Window window) {
  return window == Window::away ? FrictionTerms::Part::away : FrictionTerms::Part::all;
}

/// NaN: not predicted.
double order_in_part(const FrictionTerms* expansion, const Measure& measure) {
  if (expansion == nullptr || measure.norm != Norm::sup) return std::nan("");
  return order_of(measure.quantity, expansion->sup_orders(part_in(measure.window)));
}

}  // namespace

void compare(const FrictionStudy& study, const RigidSide& rigid, const Motion& off_reference,
             const FrictionTerms* expansion, CompliantPair& pair,
             const std::function<bool()>& stop_requested) {
  const Windows windows = windows_of(rigid, pair);
  const auto leading_in = [&](Window window) {
    return DifferenceCurve(expansion && arrived(pair.base)
                               ? expansion->leading(study.epsilons[pair.epsilon],
                                                    pair.base.motion.rounded.times, part_in(window))
                               : Motion{},
                           windows, stop_requested);
  };
  const DifferenceCurve all = leading_in(Window::all), away = leading_in(Window::away);
  const ErrorMeasures errors(differences_of(rigid, off_reference, pair), windows,
                             1.0 - study.solvers.tighten, stop_requested);
  const std::vector<Measure> measures = measures_in(study);
  Comparison comparison = compared(errors, measures, [&](Window window) -> const DifferenceCurve& {
    return window == Window::away ? away : all;
  });
  // A term that is not larger than the error bar has neither K nor a ratio.
  for (std::size_t k = 0; k < measures.size(); ++k) {
    Row row;
    row.sizes = comparison.sizes[k];
    double& predicted = comparison.predicted[k].value;
    if (!(predicted > row.error_bar())) predicted = std::nan("");
  }
  pair.against = {std::move(comparison)};
}

std::vector<Series> motion_series(const FrictionStudy& study, const RigidSide& rigid,
                                  const PairAxes& axes, const PairLadder& ladder,
                                  const FrictionTerms* expansion) {
  const std::vector<ComparedSolve> rows = compared_solves(axes, ladder, rigid.report.judged, 0);
  std::vector<Series> all =
      series_of({.measures = measures_in(study),
                 .predicted_order = [&](const Measure& m) { return order_in_part(expansion, m); },
                 .prediction_error = event_prediction_error,
                 .absent = Absent::not_comparable},
                rows);
  for (Series& series : all) judge(study.expectations, series);
  return all;
}

namespace {

/// Events whose times depend on the contacts and that a compliant motion can have: an accumulation
/// is not one of them.
bool is_matched(const ContactEvent& event, const RigidSide& rigid) {
  return event.kind != EventKind::accumulation && event.kind != EventKind::time_switch &&
         event.t <= rigid.end;
}

/// The largest rate of the normal contacts, 1/s: sqrt(c/m_eff) of the spring and d/m_eff of the
/// damper. 0: no contact is unilateral, or the solve failed.
double normal_rate(const FrictionStudy& study, const CompliantPair& pair) {
  if (!arrived(pair.base)) return 0.0;
  const double epsilon = study.epsilons[pair.epsilon];
  const FrictionalLaw law = law_of(study, study.contact.laws[pair.law]);
  const FrictionalSystem& system = study.model;
  const MatrixXd A = contact_rows(system, study.initial.q).delassus;
  double rate = 0.0;
  Index row = system.smooth.m;
  for (const CompliantContact& c : compliant_contacts(system, study.initial, law, epsilon)) {
    const double mobility = A(row, row);
    ++row;
    if (c.unilateral >= 0)
      rate = std::max({rate, std::sqrt(c.normal_stiffness / epsilon * mobility),
                       c.normal_damping * std::sqrt(mobility)});
  }
  return rate;
}

/// Errors that both solves share, so that their difference does not show them. Each step rounds the
/// state by half a unit in the last place, and the roundings add up like a random walk. The end of
/// a contact is located within δ = 64 times the resolution of t, 4 roundings
/// (solvers/root_watch.hpp), during which its force is frozen: a share (rate δ)²/2 of the rebound
/// is lost, and of the flight.
double rounding_of_time(double t, const CompliantMotion& solve, double normal_rate) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  const double lost = normal_rate * 64.0 * 4.0 * rounding * t;
  return t * (rounding * std::sqrt(static_cast<double>(std::max(solve.work.steps, 1L))) +
              0.5 * lost * lost);
}

EventMatch match_of(const FrictionStudy& study, const ContactEvent& event, std::size_t index,
                    const CompliantPair& pair) {
  EventMatch match;
  match.event = index;
  match.law = study.contact.laws[pair.law];
  match.solver = study.solvers.compliant[pair.solver];
  match.epsilon = study.epsilons[pair.epsilon];
  match.t = matched_time(event, pair.base.events);
  match.difference = match.t - event.t;
  if (is_finished(pair.tighter.outcome))
    match.solver_error = std::abs(match.t - matched_time(event, pair.tighter.events)) /
                         (1.0 - study.solvers.tighten);
  return match;
}

/// Errors of one event at all ε of a ladder, from the distances of the two solves:
///
///   2 max(distance at ε and at its two neighbours in the ladder) + rounding
///
/// Two solves can give one time by chance, but hardly at three ε. A neighbour counts if its
/// distance is at most a tenth of its difference to the rigid event: otherwise one of its solves
/// can have missed the event. The factor: if the error falls with the power r < 1 of the tolerance,
/// it is (1 − θ)/(1 − θ^r) times the distance over 1 − θ; for θ = 0.1 and r ≥ 0.27 less than 2.
/// NaN, a missing event, stays.
void bound_solver_errors(std::span<EventMatch> matches, const PairLadder& ladder,
                         const std::vector<double>& rates) {
  std::vector<double> distances;
  for (const EventMatch& match : matches) distances.push_back(match.solver_error);
  const auto of_neighbour = [&](std::size_t e) {
    return distances[e] <= 0.1 * std::abs(matches[e].difference) ? distances[e] : 0.0;
  };
  for (std::size_t e = 0; e < matches.size(); ++e) {
    double largest = distances[e];
    if (e > 0) largest = std::max(largest, of_neighbour(e - 1));
    if (e + 1 < matches.size()) largest = std::max(largest, of_neighbour(e + 1));
    matches[e].solver_error =
        2.0 * largest + rounding_of_time(matches[e].t, ladder[e]->base, rates[e]);
  }
}

SeriesPoint event_point(const EventMatch& match) {
  return {.epsilon = match.epsilon, .error = std::abs(match.difference)};
}

}  // namespace

std::vector<EventMatch> event_matches(const FrictionStudy& study, const RigidSide& rigid,
                                      const PairLadder& ladder, const FrictionTerms* expansion) {
  std::vector<EventMatch> matches;
  const std::vector<ContactEvent>& events = rigid.report.motion.events;
  std::vector<double> rates;
  for (const CompliantPair* pair : ladder) rates.push_back(normal_rate(study, *pair));
  int matched = 0;
  for (std::size_t k = 0; k < events.size() && matched < study.time.matched_events; ++k) {
    if (!is_matched(events[k], rigid)) continue;
    ++matched;
    const std::size_t first = matches.size();
    for (std::size_t e = 0; e < ladder.size(); ++e) {
      EventMatch match = match_of(study, events[k], k, *ladder[e]);
      if (expansion)
        for (const EventShift& shift : expansion->shifts())
          if (shift.event == k) {
            match.predicted = shift.time * std::pow(match.epsilon, shift.order);
            match.predicted_order = shift.order;
          }
      if (matches.size() > first)
        match.order = neighbour_order(event_point(matches.back()), event_point(match));
      matches.push_back(std::move(match));
    }
    bound_solver_errors(std::span(matches).subspan(first), ladder, rates);
  }
  return matches;
}

std::vector<Series> event_series(const FrictionStudy& study, const RigidSide& rigid,
                                 const PairAxes& axes, const PairLadder& ladder,
                                 const std::vector<EventMatch>& matches) {
  const std::vector<ContactEvent>& events = rigid.report.motion.events;
  std::vector<std::string> kinds{""};
  for (const EventMatch& match : matches)
    if (const std::string kind = name_of(events[match.event].kind);
        std::ranges::find(kinds, kind) == kinds.end())
      kinds.push_back(kind);
  std::vector<Series> all;
  if (matches.empty()) return all;
  for (const std::string& kind : kinds) {
    Series series;
    for (const CompliantPair* pair : ladder) {
      Row row = axes.row(*pair, rigid.report.judged);
      row.measure = {.quantity = Quantity::event_time, .events = kind};
      row.sizes.model = row.sizes.solver = 0.0;
      double predicted = 0.0, order = 0.0;
      for (const EventMatch& match : matches) {
        if (match.epsilon != row.epsilon) continue;
        if (!kind.empty() && kind != name_of(events[match.event].kind)) continue;
        // max with its arguments in this order keeps a NaN, a missing event.
        const auto worse = [](double a, double b) { return std::isnan(a) || a > b ? a : b; };
        row.sizes.model = worse(std::abs(match.difference), row.sizes.model);
        row.sizes.solver = worse(match.solver_error, row.sizes.solver);
        predicted = worse(std::abs(match.predicted), predicted);
        order = match.predicted_order;
      }
      // Rigid events are located to round-off; with a closed form, their distance to it is known.
      const double known = rigid.report.event_time_error;
      row.sizes.reference = std::isnan(known) ? 1e-12 : std::max(known, 1e-15);
      row.sizes.sampling = 0.0;
      if (predicted > row.error_bar())
        compare_with_prediction({.value = predicted, .sampling_error = 0.0}, order,
                                event_prediction_error, row);
      if (!std::isnan(row.ratio)) series.predicted_order = order;
      row.evidence = evidence_of(row, pair->base.outcome, Outcome::success, Absent::no_such_event);
      series.rows.push_back(std::move(row));
    }
    judge(study.expectations, series);
    all.push_back(std::move(series));
  }
  return all;
}

namespace {

using Sequence = std::vector<CompliantEvent>;

/// Kinds of compliant events: an impact becomes a touch, a reversal a stick and a slip.
Sequence rigid_sequence(const RigidSide& rigid) {
  Sequence all;
  for (const ContactEvent& event : rigid.report.motion.events)
    for (const Index contact : event.contacts) {
      if (event.kind == EventKind::accumulation) continue;
      if (event.kind == EventKind::reversal) {
        all.push_back({event.t, EventKind::stick, contact});
        all.push_back({event.t, EventKind::slip, contact});
      } else {
        const bool impact = event.kind == EventKind::impact;
        all.push_back({event.t, impact ? EventKind::touch : event.kind, contact});
      }
    }
  return all;
}

Sequence compared(const Sequence& all, double end, double layer) {
  std::map<Index, double> closed;
  Sequence kept;
  for (const CompliantEvent& event : all) {
    if (event.t > end || event.kind == EventKind::kink) continue;
    const auto at = closed.find(event.contact);
    const bool follows = at != closed.end() && event.t - at->second <= layer;
    if (event.kind == EventKind::touch) closed[event.contact] = event.t;
    if (event.kind == EventKind::touch || !follows) kept.push_back(event);
  }
  return kept;
}

bool same_kinds(const Sequence& a, const Sequence& b) {
  return std::ranges::equal(a, b, [](const CompliantEvent& x, const CompliantEvent& y) {
    return x.kind == y.kind && x.contact == y.contact;
  });
}

std::string text_of_events(const Sequence& events, const FrictionalSystem& system) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, events.size()); ++k)
    text +=
        fmt::format("{}{} {} {:.6g} s", k == 0 ? "" : "; ", name_of(events[k].kind),
                    system.contacts[static_cast<std::size_t>(events[k].contact)].name, events[k].t);
  if (events.size() > most) text += fmt::format("; {} more", events.size() - most);
  return text.empty() ? "none" : text;
}

}  // namespace

std::string note_on_events(const FrictionStudy& study, const RigidSide& rigid,
                           const CompliantSolve& solve, const std::vector<CompliantEvent>& events) {
  const double layer = study.time.layer_width * solve.epsilon;
  const Sequence of_rigid = compared(rigid_sequence(rigid), rigid.end, layer);
  const Sequence others = compared(events, rigid.end, layer);
  if (same_kinds(of_rigid, others)) return "";
  return fmt::format(
      "{}, {}, ε = {:.3g}: events differ from those of the rigid motion: {}; rigid: {}",
      text_of(solve.law), solve.solver, solve.epsilon, text_of_events(others, study.model),
      text_of_events(of_rigid, study.model));
}

}  // namespace rigidlimit
