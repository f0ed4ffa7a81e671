#include "rigidlimit/report/steps_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/evenly_spaced.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/report/rolling_tables.hpp"
#include "rigidlimit/report/series_rows.hpp"

namespace rigidlimit {

namespace {

/// "≥ 400", "≤ 30", "≥ 1, ≤ 30".
std::string limits_text(const StepsSpec& spec) {
  std::vector<std::string> limits;
  if (std::isfinite(spec.at_least)) limits.push_back(fmt::format("≥ {:.4g}", spec.at_least));
  if (std::isfinite(spec.at_most)) limits.push_back(fmt::format("≤ {:.4g}", spec.at_most));
  return fmt::format("{}", fmt::join(limits, ", "));
}

std::string interval_text(const StepsReport& report) {
  return fmt::format("{:.4g} … {:.4g}", report.largest, report.smallest);
}

std::string growth_text(double growth) {
  return std::isnan(growth) ? "-" : fmt::format("{:.1f}", growth);
}

/// The ε with a column, largest first.
std::vector<double> shown_epsilons(const std::vector<double>& all) {
  std::vector<double> shown;
  for (const std::size_t k : evenly_spaced(all.size(), 8)) shown.push_back(all[k]);
  return shown;
}

Record record_of(const RollingStudy& study, const StepCount& count) {
  Record record{{"law", count.law},
                {"compliant_solver", count.compliant_solver},
                {"formulation", variables_of(study, count.law, count.compliant_solver)},
                {"epsilon", count.epsilon},
                {"outcome", name_of(count.outcome)},
                {"growth", count.growth}};
  add_work(record, count.work);
  return record;
}

}  // namespace

std::string variables_of(const RollingStudy& study, const std::string& law,
                         const std::string& compliant_solver) {
  const LawInfo* info = find_law(law);
  if (info == nullptr || !info->has_spring()) return "";
  return name_of(study.solvers.settings_of(compliant_solver).formulation);
}

TextTable step_table(const RollingResult& result) {
  const RollingStudy& study = result.study;
  TextTable table{
      .headers = {"solver", "variables"}, .left_aligned = {true, true}, .rows = {}, .keys = 2};
  const std::vector<double> shown = shown_epsilons(study.epsilons);
  for (const double epsilon : shown) table.headers.push_back(fmt::format("ε = {:.4g}", epsilon));
  table.headers.emplace_back("growth per decade");
  table.left_aligned.resize(table.headers.size(), false);
  const StepCount* before = nullptr;
  double growth = std::nan("");
  for (const StepCount& count : result.step_counts) {
    if (before == nullptr || before->law != count.law ||
        before->compliant_solver != count.compliant_solver) {
      if (before != nullptr) table.rows.back().push_back({growth_text(growth)});
      const std::string variables = variables_of(study, count.law, count.compliant_solver);
      table.rows.push_back({{names_of(study).law_prefix(count.law) + count.compliant_solver},
                            {variables.empty() ? "(q, v)" : variables}});
      growth = std::nan("");
    }
    before = &count;
    if (!std::isnan(count.growth)) growth = count.growth;
    if (std::ranges::find(shown, count.epsilon) == shown.end()) continue;
    table.rows.back().push_back(
        count.outcome == Outcome::success
            ? Cell{fmt::format("{} ({})", count.work.steps, count.work.rejected_steps)}
            : Cell{name_of(count.outcome), Tone::bad});
  }
  if (before != nullptr) table.rows.back().push_back({growth_text(growth)});
  return table;
}

TextTable growth_table(const RollingResult& result) {
  TextTable table{.headers = {"solver", "ε", "limit", "growth per decade", "result"},
                  .left_aligned = {true, true, true, false, true},
                  .rows = {},
                  .keys = 2};
  for (const StepsReport& report : result.steps)
    table.rows.push_back(
        {{names_of(result.study).law_prefix(report.spec.law) + report.compliant_solver},
         {interval_text(report)},
         {limits_text(report.spec)},
         {growth_text(report.growth)},
         report.held                 ? Cell{"held", Tone::good}
         : std::isnan(report.growth) ? Cell{report.reason, Tone::bad}
                                     : Cell{"broken", Tone::bad}});
  return table;
}

DataTable step_rows(const RollingResult& result) {
  return data_table("steps", {{"study", result.study.name}}, result.step_counts,
                    [&](const StepCount& count) { return record_of(result.study, count); });
}

DataTable growth_rows(const RollingResult& result) {
  const RollingStudy& study = result.study;
  return data_table("growth", {}, result.steps, [&](const StepsReport& report) -> Record {
    const StepsSpec& spec = report.spec;
    return {{"law", spec.law},
            {"compliant_solver", report.compliant_solver},
            {"formulation", variables_of(study, spec.law, report.compliant_solver)},
            {"epsilon_from", spec.from},
            {"epsilon_to", spec.to},
            {"growth_at_least", spec.at_least},
            {"growth_at_most", spec.at_most},
            {"smallest_epsilon", report.smallest},
            {"largest_epsilon", report.largest},
            {"growth", report.growth},
            {"reason", report.reason},
            {"held", report.held}};
  });
}

std::vector<JunitCase> step_cases(const RollingResult& result) {
  std::vector<JunitCase> cases;
  for (const StepsReport& report : result.steps)
    cases.push_back(
        {.name = fmt::format("growth of the steps {} per decade of ε ({}), {}{}",
                             limits_text(report.spec), interval_text(report),
                             names_of(result.study).law_prefix(report.spec.law),
                             report.compliant_solver),
         .group = "expectations",
         .failed = !report.held,
         .type = report.held                 ? "steps_held"
                 : std::isnan(report.growth) ? "steps_unknown"
                                             : "steps_broken",
         .message = report.reason,
         .reason = report.reason,
         .advice =
             std::isnan(report.growth)
                 ? "Correct the failed solve, or choose epsilon in the [[expect]] without it."
                 : "Correct the [[expect]], or choose the variables: rigidlimit run FILE.toml "
                   "--set 'solvers.formulation=\"adapted\"'."});
  return cases;
}

}  // namespace rigidlimit
