#include "rigidlimit/report/steps_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/evenly_spaced.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/report/rolling_tables.hpp"
#include "rigidlimit/report/series_tables.hpp"

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
    table.rows.back().push_back(count.outcome == Outcome::success
                                    ? Cell{fmt::format("{} ({})", count_text(count.work.steps),
                                                       count_text(count.work.rejected_steps))}
                                    : Cell{name_of(count.outcome), Tone::bad});
  }
  if (before != nullptr) table.rows.back().push_back({growth_text(growth)});
  return table;
}

Columns<StepCount> step_columns(const RollingStudy& study) {
  using C = StepCount;
  return with_work<C>(
      {{"law", {}, &C::law},
       {"compliant_solver", {}, &C::compliant_solver},
       {"formulation",
        {},
        [&study](const C& c) { return variables_of(study, c.law, c.compliant_solver); }},
       {"epsilon", {}, &C::epsilon},
       {"outcome", {}, [](const C& c) { return name_of(c.outcome); }},
       {"growth", {}, &C::growth}},
      &C::work);
}

Columns<StepsReport> growth_columns(const RollingStudy& study) {
  using S = StepsReport;
  return {{"law", {}, [](const S& s) { return s.spec.law; }},
          {"compliant_solver", {}, &S::compliant_solver},
          {"formulation",
           {},
           [&study](const S& s) { return variables_of(study, s.spec.law, s.compliant_solver); }},
          {"", "solver",
           [&study](const S& s) {
             return names_of(study).law_prefix(s.spec.law) + s.compliant_solver;
           }},
          {"", "ε", interval_text},
          {"", "limit", [](const S& s) { return limits_text(s.spec); }},
          {"epsilon_from", {}, [](const S& s) { return s.spec.from; }},
          {"epsilon_to", {}, [](const S& s) { return s.spec.to; }},
          {"growth_at_least", {}, [](const S& s) { return s.spec.at_least; }},
          {"growth_at_most", {}, [](const S& s) { return s.spec.at_most; }},
          {"smallest_epsilon", {}, &S::smallest},
          {"largest_epsilon", {}, &S::largest},
          {"growth", "growth per decade", &S::growth, "{:.1f}"},
          {"", "result",
           [](const S& s) { return s.held                 ? "held"
                                   : std::isnan(s.growth) ? s.reason
                                                          : "broken"; },
           "", [](const S& s) { return s.held ? Tone::good : Tone::bad; }},
          {"reason", {}, &S::reason},
          {"held", {}, &S::held}};
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
         .state = state_if(report.held),
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
