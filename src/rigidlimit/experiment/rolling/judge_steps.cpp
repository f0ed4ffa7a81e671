#include "rigidlimit/experiment/rolling/judge_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigidlimit {

namespace {

/// Steps per decade of ε between two solves.
double growth_between(const StepCount& large, const StepCount& small) {
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
  report.held = report.growth >= spec.at_least && report.growth <= spec.at_most;
  report.reason =
      fmt::format("{:.4g} steps per decade of ε, from {} at ε = {:.4g} to {} at ε = {:.4g}",
                  report.growth, first.work.steps, first.epsilon, last.work.steps, last.epsilon);
  return report;
}

}  // namespace

std::vector<StepCount> step_counts_of(const RollingStudy& study, const Solves& solves) {
  std::vector<StepCount> counts;
  for (const std::string& solver : study.solvers.compliant)
    for (const std::string& law : study.contact.laws)
      for (std::size_t e = 0; e < study.epsilons.size(); ++e) {
        const CompliantMotion& solve = solves.find(law, solver, e).base;
        counts.push_back({.law = law,
                          .compliant_solver = solver,
                          .epsilon = study.epsilons[e],
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
