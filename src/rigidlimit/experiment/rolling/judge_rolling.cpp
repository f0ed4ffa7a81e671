#include "rigidlimit/experiment/rolling/judge_rolling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rigidlimit/experiment/judge/judge_series.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/comparison.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/predicted_terms.hpp"
#include "rigidlimit/experiment/rolling/comparison.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace {

/// Power of ε of the first of these terms that is not zero; NaN: none. T: LeadingTerms or
/// StudySeries.
template <class T>
double predicted_order(const T& terms, const RollingStudy& study, const Measure& measure) {
  const double from = measure.window == Window::after ? study.after : study.initial.t;
  return order_of(measure.quantity,
                  measure.norm == Norm::sup ? terms.sup_orders(from) : terms.l2_orders(from));
}

/// Power of ε of the predicted leading term; NaN without a prediction.
double predicted_order(const RollingStudy& study, const Solves& solves, const LawInfo& law,
                       const Measure& measure) {
  if (study.composite_order)
    return solves.series && measure.norm == Norm::sup
               ? predicted_order(*solves.series, study, measure)
               : std::nan("");
  const auto predicted = solves.predicted.find(law.name);
  if (predicted == solves.predicted.end() || !predicted->second.terms) return std::nan("");
  return predicted_order(*predicted->second.terms, study, measure);
}

/// The expectations with the orders that a study against the composite of order K leaves out: those
/// of its remainder. Without a known term, the remainder claims K + 1.
std::vector<ExpectationSpec> with_orders_of_remainder(const RollingStudy& study,
                                                      const Solves& solves) {
  std::vector<ExpectationSpec> all = study.expectations;
  if (!study.composite_order) return all;
  for (ExpectationSpec& e : all) {
    if (e.judges_errors()) continue;
    if (solves.series) e.order = predicted_order(*solves.series, study, e.measure);
    if (std::isnan(e.order.value_or(std::nan(""))))
      e.order = (*study.composite_order + 1) * power_of_epsilon(law_of(study));
  }
  return all;
}

/// Weakens a verdict against the order or ratio of the theory to pre-asymptotic if the layer lasts
/// for more than a tenth of the motion: there, the leading terms need not be the largest ones.
void allow_for_layer(const Solves& solves, Series& series) {
  const auto predicted = solves.predicted.find(series.rows.front().law.name);
  if (predicted == solves.predicted.end() || !predicted->second.terms || !series.expectation)
    return;
  const auto weaken = [&](std::size_t last, Verdict& verdict, std::string& reason) {
    const double share = predicted->second.terms->layer_share(series.rows[last].epsilon);
    if (!(share > 0.1) || (verdict != Verdict::refuted && verdict != Verdict::diverging)) return;
    verdict = Verdict::pre_asymptotic;
    reason += fmt::format("; at this ε the layer lasts for {:.2g} of the motion", share);
  };
  const ExpectationSpec& e = *series.expectation;
  const Expectation expected = e.expected_order();
  if (expected.order && expected.distance(series.predicted_order) <= e.within)
    weaken(series.judgement.fit.last, series.judgement.verdict, series.judgement.reason);
  if (e.ratio) weaken(series.ratio.last, series.ratio.verdict, series.ratio.reason);
  for (Row& row : series.rows) row.verdict = series.judgement.verdict;
}

/// Relative, of a prediction: its outer terms and layers are exact to 1e-13 of their largest
/// values.
constexpr double prediction_error = 1e-12;

double invariant_drift(const System& system, const PreciseMotion& motion) {
  double drift = 0.0;
  for (Index k = 0; k < motion.rounded.q.cols() && system.ni > 0; ++k)
    drift = std::max(drift, invariants_at(system, motion, k).cwiseAbs().maxCoeff());
  return drift;
}

}  // namespace

std::vector<Series> judged_series(const RollingStudy& study, const Solves& solves,
                                  std::size_t judged, const PairAxes& axes,
                                  const PairLadder& ladder) {
  const LawInfo& law = law_of_pair(study, *ladder.front());
  const RigidSolve& rigid = solves.rigid[solves.judged[judged].solve];
  const std::vector<ComparedSolve> rows = compared_solves(axes, ladder, rigid.solver->name, judged);
  const std::vector<Measure> measures = measures_of(study);
  std::vector<Series> all = series_of(
      {.measures = measures,
       .rigid = rigid.result.outcome,
       .predicted_order = [&](const Measure& m) { return predicted_order(study, solves, law, m); },
       .prediction_error = prediction_error,
       .absent = Absent::no_composite},
      rows);
  const std::vector<ExpectationSpec> expectations = with_orders_of_remainder(study, solves);
  for (Series& series : all) {
    judge(expectations, series);
    allow_for_layer(solves, series);
  }
  return all;
}

RigidReport report_on(const System& system, const RigidSolver& solver, const RigidMotion& rigid,
                      const RigidSolver& reference, const RigidMotion& judge,
                      const VectorXd& work) {
  RigidReport report{.solver = solver.name,
                     .reference = reference.name,
                     .multiplier_tested = rigid.multiplier_tested,
                     .outcome = rigid.outcome,
                     .message = rigid.message,
                     .work = rigid.work};
  report.error.fill(std::nan(""));
  if (rigid.outcome != Outcome::success) return report;
  if (judge.outcome == Outcome::success) {
    const Motion apart = difference(rigid.motion, judge.motion);
    for (const Quantity x : common_quantities)
      report.error[static_cast<std::size_t>(x)] = magnitude(apart, {.quantity = x}, {});
  }
  const Motion& motion = rigid.motion.rounded;

  const double energy0 = mechanical_energy(system, motion.q.col(0), motion.v.col(0));
  const VectorXd rest = VectorXd::Zero(motion.v.rows());
  report.energy_scale = energy0 - mechanical_energy(system, motion.q.col(0), rest);
  report.energy_work = work(work.size() - 1);
  report.invariant_drift = invariant_drift(system, rigid.motion);
  report.joint_drift = rigid.joint_drift;
  double scale = report.energy_scale, apart = 0.0, force = 0.0, largest = 0.0;
  for (Index k = 0; k < motion.q.cols(); ++k) {
    report.drift =
        std::max(report.drift, sliding_at(system, rigid.motion, k).cwiseAbs().maxCoeff());
    force = std::max(force, motion.lambda.col(k).lpNorm<1>());
    const double gained = mechanical_energy(system, motion.q.col(k), motion.v.col(k)) - energy0;
    report.energy_error = std::max(report.energy_error, std::abs(gained - work(k)));
    const double kinetic = kinetic_energy(system, motion.q.col(k), motion.v.col(k));
    largest = std::max(largest, 2.0 * kinetic + std::abs(energy0 + gained));  // ≥ |K| + |P|
    scale = std::max({scale, kinetic, std::abs(gained), std::abs(work(k))});
    if (judge.outcome == Outcome::success)
      apart = std::max(apart, std::abs(energy0 + gained -
                                       mechanical_energy(system, judge.motion.rounded.q.col(k),
                                                         judge.motion.rounded.v.col(k))));
  }
  // The work of a solve that ended early is not the work of this motion.
  if (!work.allFinite()) report.energy_error = std::nan("");
  // Ten times the distance of the two energies, plus the rounding of sums over a long motion, the
  // work of the contact forces along the drift, and 64 ulp of the energies themselves: the last two
  // are all that a system at rest has.
  const double drifted = report.drift * (motion.times.back() - motion.times.front());
  constexpr double rounding = 64.0 * std::numeric_limits<double>::epsilon();
  report.energy_bar = 10.0 * apart + 1e-6 * scale + force * drifted + rounding * largest;
  return report;
}

namespace {

BoundReport report_on(const BoundSpec& spec, const Series& series) {
  const std::vector<SeriesPoint> points = points_of(spec, series.rows);
  BoundReport report{.spec = spec,
                     .rigid_solver = series.rows.front().rigid_solver,
                     .compliant_solver = series.rows.front().compliant_solver,
                     .epsilons = {},
                     .judgement = judged(spec, points)};
  for (const SeriesPoint& point : points) report.epsilons.push_back(point.epsilon);
  report.proved = std::ranges::all_of(
      points, [&](const SeriesPoint& p) { return p.proved || !spec.bound.covers(p.epsilon); });
  // The status gives the outcome, or the error that limits the row.
  if (const auto worst = report.judgement.worst; worst && !report.held())
    if (const Row& row = series.rows[*worst]; !row.is_evidence())
      report.judgement.reason += " [" + name_of(row.evidence) + "]";
  return report;
}

}  // namespace

std::vector<BoundReport> judged_bounds(const RollingStudy& study,
                                       const std::vector<Series>& series) {
  std::vector<BoundReport> reports;
  for (const BoundSpec& spec : study.bounds)
    for (const Series& s : series) {
      if (s.rows.empty()) continue;
      const Row& row = s.rows.front();
      if (row.law.name == spec.law && row.measure == spec.measure)
        reports.push_back(report_on(spec, s));
    }
  return reports;
}

namespace {

/// Steps per decade of ε between two solves; NaN if a method does not count its steps.
double growth_between(const StepCount& large, const StepCount& small) {
  if (large.work.steps < 0 || small.work.steps < 0) return std::nan("");
  return static_cast<double>(small.work.steps - large.work.steps) /
         std::log10(large.epsilon / small.epsilon);
}

bool same_series(const StepCount& a, const StepCount& b) {
  return a.law == b.law && a.compliant_solver == b.compliant_solver;
}

StepsReport report_on(const StepsSpec& spec, const std::string& solver,
                      const std::vector<StepCount>& covered) {
  const StepCount &first = covered.front(), &last = covered.back();
  StepsReport report{.spec = spec,
                     .compliant_solver = solver,
                     .largest = first.epsilon,
                     .smallest = last.epsilon,
                     .reason = {}};
  const auto failed = std::ranges::find_if(
      covered, [](const StepCount& c) { return c.outcome != Outcome::success; });
  if (failed != covered.end()) {
    report.reason = fmt::format("the solve at ε = {:.4g} failed: {}", failed->epsilon,
                                name_of(failed->outcome));
    return report;
  }
  report.growth = growth_between(first, last);
  if (std::isnan(report.growth)) {
    report.reason = fmt::format("{} does not count its steps", solver);
    return report;
  }
  report.held = report.growth >= spec.at_least && report.growth <= spec.at_most;
  report.reason =
      fmt::format("{:.4g} steps per decade of ε, from {} at ε = {:.4g} to {} at ε = {:.4g}",
                  report.growth, first.work.steps, first.epsilon, last.work.steps, last.epsilon);
  return report;
}

}  // namespace

std::vector<StepCount> step_counts_of(const RollingStudy& study, const PairTasks& pairs) {
  std::vector<StepCount> counts;
  for (std::size_t solver = 0; solver < study.solvers.compliant.size(); ++solver)
    for (std::size_t law = 0; law < study.contact.laws.size(); ++law)
      for (std::size_t e = 0; e < study.epsilons.size(); ++e) {
        const CompliantSolve solve = pairs.axes().solve(pairs.find(law, solver, e), false);
        counts.push_back({.law = solve.law.name,
                          .compliant_solver = solve.solver,
                          .epsilon = solve.epsilon,
                          .outcome = solve.outcome,
                          .work = solve.work});
      }
  set_growth(counts);
  return counts;
}

void set_growth(std::vector<StepCount>& counts) {
  const StepCount* first = nullptr;
  bool arrived = false;
  for (StepCount& count : counts) {
    const bool begins = first == nullptr || !same_series(*first, count);
    if (begins) first = &count;
    arrived = (begins || arrived) && count.outcome == Outcome::success;
    if (!begins && arrived) count.growth = growth_between(*first, count);
  }
}

std::vector<StepsReport> judged_steps(const RollingStudy& study,
                                      const std::vector<StepCount>& counts) {
  std::vector<StepsReport> reports;
  for (const StepsSpec& spec : study.steps)
    for (const std::string& solver : study.solvers.compliant) {
      std::vector<StepCount> covered;
      std::ranges::copy_if(counts, std::back_inserter(covered), [&](const StepCount& c) {
        return c.law == spec.law && c.compliant_solver == solver && spec.covers(c.epsilon);
      });
      if (!covered.empty()) reports.push_back(report_on(spec, solver, covered));
    }
  return reports;
}

}  // namespace rigidlimit
