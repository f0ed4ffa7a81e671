#include "rigidlimit/experiment/friction/judge_friction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/contact/contact_terms.hpp"
#include "rigidlimit/convergence/neighbour_order.hpp"
#include "rigidlimit/experiment/judge/evidence_status.hpp"
#include "rigidlimit/experiment/judge/judge_series.hpp"
#include "rigidlimit/experiment/judge/precise_motion.hpp"
#include "rigidlimit/experiment/rolling/judge_rows.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "rigidlimit/formulations/frictional/frictional_forces.hpp"

namespace rigidlimit {

namespace {

bool arrived(const FrictionMotion* one) {
  return one && one->solve.outcome == Outcome::success;
}

Differences differences_of(const RigidSide& rigid, const Motion& off_reference,
                           const CompliantPair& pair) {
  Differences d;
  if (!arrived(pair.base)) return d;
  const auto positions = positions_in(rigid.times, pair.base->motion.times);
  d.model = difference(pair.base->motion, restricted(rigid.judged, positions));
  d.rounding = rounding_of(pair.base->motion, rigid.judged);
  d.reference = restricted(off_reference, positions);
  if (arrived(pair.tighter)) d.solver = difference(pair.base->motion, pair.tighter->motion);
  return d;
}

std::string status_of(const Row& row, const FrictionSolve& solve) {
  if (solve.outcome != Outcome::success) return fmt::format("failed: {}", name_of(solve.outcome));
  if (std::isnan(row.model_error))
    return row.measure.quantity == Quantity::event_time ? "failed: no such event"
                                                        : "failed: not comparable";
  return evidence_status(row);
}

Row row_of(const Measure& measure, const RigidSide& rigid, const FrictionSolve& solve) {
  Row row;
  row.law = name_of(solve.law);
  row.rigid_solver = rigid.report.judged;
  row.compliant_solver = solve.solver;
  row.epsilon = solve.epsilon;
  row.measure = measure;
  row.work = solve.work;
  return row;
}

/// Relative error of a prediction: difference quotients along the motion, and layers solved across
/// their kinks.
constexpr double prediction_error = 1e-6;

/// A term that is not larger than the error bar has neither K nor a ratio.
void compare_if_visible(double predicted, double order, Row& row) {
  if (predicted > row.error_bar()) compare_with_prediction(predicted, order, prediction_error, row);
}

/// The leading terms in the windows `all` and `away` of one ε; without times if there are none.
struct WindowTerms {
  DifferenceCurve all, away;

  const DifferenceCurve& in(Window window) const { return window == Window::away ? away : all; }
};

WindowTerms leading_terms(const FrictionTerms* expansion, const CompliantPair& pair,
                          const Windows& windows) {
  const auto in = [&](Window window) {
    return DifferenceCurve(
        expansion && arrived(pair.base)
            ? expansion->leading(pair.base->solve.epsilon, pair.base->motion.times, window)
            : Motion{},
        windows);
  };
  return {in(Window::all), in(Window::away)};
}

/// The windows of the rigid motion, with the events of the compliant one as further corners.
Windows windows_of(const RigidSide& rigid, const CompliantPair& pair) {
  Windows windows = rigid.windows;
  if (pair.base)
    for (const CompliantEvent& event : pair.base->events) windows.breaks.push_back(event.t);
  return windows;
}

}  // namespace

std::vector<Series> motion_series(const FrictionStudy& study, const RigidSide& rigid,
                                  const CompliantLadder& ladder, const FrictionTerms* expansion) {
  const Motion off_reference = difference(rigid.judged, rigid.reference);
  std::vector<ErrorMeasures> errors;
  std::vector<WindowTerms> leading;
  for (const CompliantPair& pair : ladder) {
    const Windows windows = windows_of(rigid, pair);
    errors.emplace_back(differences_of(rigid, off_reference, pair), windows,
                        1.0 - study.solvers.tighten);
    leading.push_back(leading_terms(expansion, pair, windows));
  }
  std::vector<Series> all;
  for (const Quantity quantity : all_quantities)
    for (const Norm norm : friction_norms)
      for (const Window window : friction_windows) {
        Series series;
        const Measure measure{quantity, norm, window};
        if (expansion) series.predicted_order = expansion->order(measure);
        for (std::size_t k = 0; k < ladder.size(); ++k) {
          const FrictionSolve& solve = ladder[k].base->solve;
          Row row = row_of(measure, rigid, solve);
          row.set(errors[k].sizes(measure));
          compare_if_visible(leading[k].in(window).size(measure).value, series.predicted_order,
                             row);
          row.status = status_of(row, solve);
          series.rows.push_back(std::move(row));
        }
        judge(study.expectations, series);
        all.push_back(std::move(series));
      }
  return all;
}

namespace {

/// Events that a compliant motion can have: an accumulation is not one of them.
bool is_matched(const ContactEvent& event, const RigidSide& rigid) {
  return event.kind != EventKind::accumulation && event.t <= rigid.end;
}

/// The largest rate of the normal contacts, 1/s: sqrt(c/m_eff) of the spring and d/m_eff of the
/// damper. 0: no contact is unilateral, or the solve failed.
double normal_rate(const FrictionStudy& study, const FrictionSolve& solve) {
  if (solve.outcome != Outcome::success) return 0.0;
  const FrictionalSystem& system = study.model;
  const MatrixXd A = contact_rows(system, study.initial.q).delassus;
  double rate = 0.0;
  Index row = system.smooth.m;
  for (const CompliantContact& c :
       compliant_contacts(system, study.initial, law_of(study, solve.law), solve.epsilon)) {
    const double mobility = A(row, row);
    ++row;
    if (c.unilateral >= 0)
      rate = std::max({rate, std::sqrt(c.normal_stiffness / solve.epsilon * mobility),
                       c.normal_damping * std::sqrt(mobility)});
  }
  return rate;
}

/// Errors that both solves share, so that their difference does not show them. Each step rounds the
/// state by half a unit in the last place, and the roundings add up like a random walk. The end of
/// a contact is located within δ = 64 times the resolution of t, 4 roundings
/// (solvers/root_watch.hpp), during which its force is frozen: a share (rate δ)²/2 of the rebound
/// is lost, and of the flight.
double rounding_of_time(double t, const FrictionSolve& solve, double normal_rate) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  const double lost = normal_rate * 64.0 * 4.0 * rounding * t;
  return t * (rounding * std::sqrt(static_cast<double>(solve.work.steps)) + 0.5 * lost * lost);
}

EventMatch match_of(const FrictionStudy& study, const ContactEvent& event, std::size_t index,
                    const CompliantPair& pair, double normal_rate) {
  EventMatch match;
  match.event = index;
  match.law = pair.base->solve.law;
  match.solver = pair.base->solve.solver;
  match.epsilon = pair.base->solve.epsilon;
  match.t = matched_time(event, pair.base->events);
  match.difference = match.t - event.t;
  if (pair.tighter)
    match.solver_error = std::abs(match.t - matched_time(event, pair.tighter->events)) /
                             (1.0 - study.solvers.tighten) +
                         rounding_of_time(match.t, pair.base->solve, normal_rate);
  return match;
}

SeriesPoint point_of(const EventMatch& match) {
  return {.epsilon = match.epsilon, .error = std::abs(match.difference)};
}

}  // namespace

std::vector<EventMatch> event_matches(const FrictionStudy& study, const RigidSide& rigid,
                                      const CompliantLadder& ladder,
                                      const FrictionTerms* expansion) {
  std::vector<EventMatch> matches;
  const std::vector<ContactEvent>& events = rigid.report.motion.events;
  std::vector<double> rates;
  for (const CompliantPair& pair : ladder) rates.push_back(normal_rate(study, pair.base->solve));
  int matched = 0;
  for (std::size_t k = 0; k < events.size() && matched < study.time.matched_events; ++k) {
    if (!is_matched(events[k], rigid)) continue;
    ++matched;
    const std::size_t first = matches.size();
    for (std::size_t e = 0; e < ladder.size(); ++e) {
      EventMatch match = match_of(study, events[k], k, ladder[e], rates[e]);
      if (expansion)
        for (const EventShift& shift : expansion->shifts())
          if (shift.event == k) {
            match.predicted = shift.time * std::pow(match.epsilon, shift.order);
            match.predicted_order = shift.order;
          }
      if (matches.size() > first)
        match.order = neighbour_order(point_of(matches.back()), point_of(match));
      matches.push_back(std::move(match));
    }
  }
  return matches;
}

std::vector<Series> event_series(const FrictionStudy& study, const RigidSide& rigid,
                                 const CompliantLadder& ladder,
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
    for (const CompliantPair& pair : ladder) {
      Row row = row_of({.quantity = Quantity::event_time, .events = kind}, rigid, pair.base->solve);
      row.model_error = row.solver_error = 0.0;
      double predicted = 0.0, order = 0.0;
      for (const EventMatch& match : matches) {
        if (match.epsilon != row.epsilon) continue;
        if (!kind.empty() && kind != name_of(events[match.event].kind)) continue;
        // max with its arguments in this order keeps a NaN, a missing event.
        const auto worse = [](double a, double b) { return std::isnan(a) || a > b ? a : b; };
        row.model_error = worse(std::abs(match.difference), row.model_error);
        row.solver_error = worse(match.solver_error, row.solver_error);
        predicted = worse(std::abs(match.predicted), predicted);
        order = match.predicted_order;
      }
      // Rigid events are located to round-off; with a closed form, their distance to it is known.
      const double known = rigid.report.event_time_error;
      row.reference_error = std::isnan(known) ? 1e-12 : std::max(known, 1e-15);
      row.sampling_error = 0.0;
      compare_if_visible(predicted, order, row);
      if (!std::isnan(row.ratio)) series.predicted_order = order;
      row.status = status_of(row, pair.base->solve);
      series.rows.push_back(std::move(row));
    }
    judge(study.expectations, series);
    all.push_back(std::move(series));
  }
  return all;
}

}  // namespace rigidlimit
