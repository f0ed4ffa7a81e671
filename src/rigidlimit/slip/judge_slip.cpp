#include "rigidlimit/slip/judge_slip.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/convergence/further_terms.hpp"
#include "rigidlimit/convergence/neighbour_order.hpp"
#include "rigidlimit/convergence/without_order.hpp"
#include "rigidlimit/study/evidence_status.hpp"
#include "rigidlimit/study/judged_series.hpp"
#include "rigidlimit/study/precise_motion.hpp"
#include "rigidlimit/study/time_grid.hpp"

namespace rigidlimit {

double SlipRow::floor() const {
  const double sum = solver_error + reference_error + sampling_error;
  return std::isnan(sum) ? sum : std::max({solver_error, reference_error, sampling_error});
}

namespace {

/// What the motions of one ε differ by, on one grid; without times where one of the two failed.
struct Differences {
  const SlipMotion* base;
  Motion model;      ///< compliant − rigid
  Motion solver;     ///< compliant − compliant at tighter tolerances
  Motion reference;  ///< rigid − its reference
};

bool arrived(const SlipMotion* one) {
  return one && one->solve.outcome == Outcome::success;
}

std::vector<Differences> differences_of(const RigidSide& rigid, const CompliantLadder& ladder) {
  const Motion off = difference(rigid.judged, rigid.reference);
  std::vector<Differences> all;
  for (const CompliantPair& pair : ladder) {
    Differences d{pair.base, {}, {}, {}};
    if (arrived(pair.base)) {
      const auto positions = positions_in(rigid.times, pair.base->motion.times);
      d.model = difference(pair.base->motion, restricted(rigid.judged, positions));
      d.reference = restricted(off, positions);
      if (arrived(pair.tighter)) d.solver = difference(pair.base->motion, pair.tighter->motion);
    }
    all.push_back(std::move(d));
  }
  return all;
}

std::string status_of(const SlipRow& row, const SlipSolve& solve) {
  if (solve.outcome != Outcome::success) return fmt::format("failed: {}", name_of(solve.outcome));
  if (std::isnan(row.model_error))
    return row.measure.quantity == SlipQuantity::event_time ? "failed: no such event"
                                                            : "failed: not comparable";
  return evidence_status(row.model_error, row.solver_error, row.reference_error,
                         row.sampling_error);
}

/// The order of what remains without the further terms. Its rows are the last ones of `points`.
Judgement judge_without_terms(std::span<const SeriesPoint> points, const SlipExpectation& e) {
  Judgement judgement =
      judge(without_terms(points, e.next_orders), {.order = e.order, .within = e.within});
  judgement.fit.first += e.next_orders.size();
  judgement.fit.last += e.next_orders.size();
  judgement.reason +=
      fmt::format("; without the terms of order {:g}", fmt::join(e.next_orders, ", "));
  return judgement;
}

Judgement judged_as_expected(std::span<const SeriesPoint> points,
                             const std::optional<SlipExpectation>& expectation) {
  if (!expectation) return judge(points);
  if (expectation->at_most) return judge_limit(points, *expectation->at_most);
  if (!expectation->order) return judge_no_convergence(points, expectation->within);
  if (!expectation->next_orders.empty() && points.size() > expectation->next_orders.size())
    return judge_without_terms(points, *expectation);
  return judge(points, {.order = expectation->order, .within = expectation->within});
}

void judge_series(const SlipStudy& study, SlipSeries& series) {
  if (series.rows.empty()) return;
  const SlipRow& any = series.rows.front();
  for (const SlipExpectation& e : study.expectations)
    if (e.concerns(any.law, any.measure)) series.expectation = e;
  series.judgement = judged(series.rows, [&](std::span<const SeriesPoint> points) {
    return judged_as_expected(points, series.expectation);
  });
}

SlipRow row_of(const SlipMeasure& measure, const SlipSolve& solve) {
  SlipRow row;
  row.law = solve.law;
  row.solver = solve.solver;
  row.epsilon = solve.epsilon;
  row.measure = measure;
  row.model_error = row.solver_error = row.reference_error = row.sampling_error = std::nan("");
  return row;
}

}  // namespace

std::vector<SlipSeries> motion_series(const SlipStudy& study, const RigidSide& rigid,
                                      const CompliantLadder& ladder) {
  const std::vector<Differences> differences = differences_of(rigid, ladder);
  const double share = 1.0 - study.solvers.tighten;
  std::vector<SlipSeries> all;
  for (const SlipQuantity quantity : motion_quantities)
    for (const SlipNorm norm : slip_norms)
      for (const SlipWindow window : slip_windows) {
        const SlipMeasure measure{quantity, norm, window, ""};
        const auto measured = [&](const Motion& d, auto of) {
          return d.times.empty() ? std::nan("") : of(d, measure, rigid.events);
        };
        SlipSeries series;
        for (const Differences& d : differences) {
          SlipRow row = row_of(measure, d.base->solve);
          row.model_error = measured(d.model, magnitude);
          row.solver_error = measured(d.solver, magnitude) / share;
          row.reference_error = measured(d.reference, magnitude);
          row.sampling_error = measured(d.model, sampling_error);
          row.status = status_of(row, d.base->solve);
          series.rows.push_back(std::move(row));
        }
        judge_series(study, series);
        all.push_back(std::move(series));
      }
  return all;
}

namespace {

/// Only what a compliant motion can show: infinitely many impacts are not an event of it.
bool is_matched(const ContactEvent& event, const RigidSide& rigid) {
  return event.kind != EventKind::accumulation && event.t <= rigid.end;
}

EventMatch match_of(const SlipStudy& study, const ContactEvent& event, std::size_t index,
                    const CompliantPair& pair) {
  EventMatch match;
  match.event = index;
  match.law = pair.base->solve.law;
  match.solver = pair.base->solve.solver;
  match.epsilon = pair.base->solve.epsilon;
  match.t = matched_time(event, pair.base->events);
  match.difference = match.t - event.t;
  if (pair.tighter)
    match.solver_error = std::abs(match.t - matched_time(event, pair.tighter->events)) /
                         (1.0 - study.solvers.tighten);
  return match;
}

SeriesPoint point_of(const EventMatch& match) {
  return {.epsilon = match.epsilon, .error = std::abs(match.difference)};
}

}  // namespace

std::vector<EventMatch> event_matches(const SlipStudy& study, const RigidSide& rigid,
                                      const CompliantLadder& ladder) {
  std::vector<EventMatch> matches;
  const std::vector<ContactEvent>& events = rigid.report.motion.events;
  int matched = 0;
  for (std::size_t k = 0; k < events.size() && matched < study.time.matched_events; ++k) {
    if (!is_matched(events[k], rigid)) continue;
    ++matched;
    const std::size_t first = matches.size();
    for (const CompliantPair& pair : ladder) {
      EventMatch match = match_of(study, events[k], k, pair);
      if (matches.size() > first)
        match.order = neighbour_order(point_of(matches.back()), point_of(match));
      matches.push_back(std::move(match));
    }
  }
  return matches;
}

std::vector<SlipSeries> event_series(const SlipStudy& study, const RigidSide& rigid,
                                     const CompliantLadder& ladder,
                                     const std::vector<EventMatch>& matches) {
  const std::vector<ContactEvent>& events = rigid.report.motion.events;
  std::vector<std::string> kinds{""};
  for (const EventMatch& match : matches)
    if (const std::string kind = name_of(events[match.event].kind);
        std::ranges::find(kinds, kind) == kinds.end())
      kinds.push_back(kind);
  std::vector<SlipSeries> all;
  if (matches.empty()) return all;
  for (const std::string& kind : kinds) {
    SlipSeries series;
    for (const CompliantPair& pair : ladder) {
      SlipRow row =
          row_of({.quantity = SlipQuantity::event_time, .events = kind}, pair.base->solve);
      row.model_error = row.solver_error = 0.0;
      for (const EventMatch& match : matches) {
        if (match.epsilon != row.epsilon) continue;
        if (!kind.empty() && kind != name_of(events[match.event].kind)) continue;
        // A NaN, an event that is missing, must stay: the arguments of max in this order.
        const auto worse = [](double a, double b) { return std::isnan(a) || a > b ? a : b; };
        row.model_error = worse(std::abs(match.difference), row.model_error);
        row.solver_error = worse(match.solver_error, row.solver_error);
      }
      // Rigid events are located to round-off; where a formula knows them, its distance.
      const double known = rigid.report.event_time_error;
      row.reference_error = std::isnan(known) ? 1e-12 : std::max(known, 1e-15);
      row.sampling_error = 0.0;
      row.status = status_of(row, pair.base->solve);
      series.rows.push_back(std::move(row));
    }
    judge_series(study, series);
    all.push_back(std::move(series));
  }
  return all;
}

}  // namespace rigidlimit
