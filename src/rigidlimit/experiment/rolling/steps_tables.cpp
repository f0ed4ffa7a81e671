#include "rigidlimit/experiment/rolling/steps_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/judge/series_tables.hpp"
#include "rigidlimit/experiment/judge/work_columns.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"

namespace rigidlimit {

namespace {

/// "≥ 400", "≤ 30", "≥ 1, ≤ 30".
std::string limits_text(const StepsSpec& spec) {
  std::vector<std::string> limits;
  if (std::isfinite(spec.at_least)) limits.push_back(fmt::format("≥ {:.4g}", spec.at_least));
  if (std::isfinite(spec.at_most)) limits.push_back(fmt::format("≤ {:.4g}", spec.at_most));
  return fmt::format("{}", fmt::join(limits, ", "));
}

std::string growth_text(const StepsReport& report) {
  return fmt::format("{:.4g} … {:.4g}", report.largest, report.smallest);
}

}  // namespace

std::string variables_of(const RollingStudy& study, const std::string& law,
                         const std::string& compliant_solver) {
  const LawInfo* info = find_law(law);
  if (info == nullptr || !info->has_spring()) return "";
  return name_of(study.solvers.settings_of(compliant_solver).formulation);
}

Table step_rows(const SharedRolling& result) {
  using C = ColumnOf<StepCount>;
  const SeriesNames names = names_of(result->study);
  const auto work = [](const StepCount& c) -> const Work& { return c.work; };
  Columns<StepCount> columns = with_work<StepCount>(
      {C("law", "law", &StepCount::law),
       C("compliant_solver", "solver", &StepCount::compliant_solver).said([=](const StepCount& c) {
         return names.law_prefix(c.law) + c.compliant_solver;
       }),
       C("formulation", "variables",
         [result](const StepCount& c) {
           return variables_of(result->study, c.law, c.compliant_solver);
         }).said([result](const StepCount& c) {
         const std::string variables = variables_of(result->study, c.law, c.compliant_solver);
         return variables.empty() ? "(q, v)" : variables;
       }),
       C("epsilon", "ε", &StepCount::epsilon, "{:.4g}"),
       C("outcome", "outcome",
         [](const StepCount& c) {
           return name_of(c.outcome);
         }).toned([](const StepCount& c) { return tone_of(c.outcome); }),
       C("growth", "growth per decade", &StepCount::growth, "{:.1f}")},
      work);
  // "57 (1)": in brackets the rejected ones; of a failed solve its outcome.
  ColumnOf<StepCount>& steps = *std::ranges::find(columns, "work.steps", &C::name);
  steps.tone = [](const StepCount& c) { return tone_of(c.outcome); };
  steps.text = [](const StepCount& c) {
    return c.outcome == Outcome::success
               ? fmt::format("{} ({})", count_text(c.work.steps), count_text(c.work.rejected_steps))
               : name_of(c.outcome);
  };
  return table_of("steps", columns, part_of(result, &RollingResult::step_counts), 4,
                  {{"study", result->study.name}});
}

View step_view() {
  return {.key = "steps",
          .caption = "Steps (rejected) of the first solves",
          .table = "steps",
          .columns = {"compliant_solver", "formulation"},
          .keys = 2,
          .pivot = Pivot{.across = {"epsilon"},
                         .cells = {{"work.steps", "ε = {}"}},
                         .beside = {{"growth", Pivot::Of::last}},
                         .most = 8}};
}

Table growth_rows(const SharedRolling& result) {
  using S = StepsReport;
  using C = ColumnOf<S>;
  const SeriesNames names = names_of(result->study);
  return table_of<S>(
      "growth",
      {C("law", "law", [](const S& s) { return s.spec.law; }),
       C("compliant_solver", "solver", &S::compliant_solver).said([=](const S& s) {
         return names.law_prefix(s.spec.law) + s.compliant_solver;
       }),
       C("formulation", "",
         [result](const S& s) {
           return variables_of(result->study, s.spec.law, s.compliant_solver);
         }),
       C("epsilon_from", "", [](const S& s) { return s.spec.from; }),
       C("epsilon_to", "", [](const S& s) { return s.spec.to; }),
       C("growth_at_least", "limit",
         [](const S& s) {
           return s.spec.at_least;
         }).said([](const S& s) { return limits_text(s.spec); }),
       C("growth_at_most", "", [](const S& s) { return s.spec.at_most; }),
       C("smallest_epsilon", "ε", &S::smallest).said(growth_text),
       C("largest_epsilon", "", &S::largest),
       C("growth", "growth per decade", &S::growth, "{:.1f}"), C("reason", "", &S::reason).noted(),
       C("held", "result", &S::held)
           .toned([](const S& s) { return s.held ? Tone::good : Tone::bad; })
           .said([](const S& s) {
             return s.held ? "held" : std::isnan(s.growth) ? s.reason : "broken";
           })},
      part_of(result, &RollingResult::steps), 7);
}

View growth_view() {
  return {.key = "growth",
          .caption = "Growth of the steps",
          .table = "growth",
          .columns = {"compliant_solver", "smallest_epsilon", "growth_at_least", "growth", "held"},
          .keys = 2};
}

std::vector<JudgedClaim> step_cases(const RollingResult& result) {
  std::vector<JudgedClaim> cases;
  for (const StepsReport& report : result.steps)
    cases.push_back(
        {.name = fmt::format("growth of the steps {} per decade of ε ({}), {}{}",
                             limits_text(report.spec), growth_text(report),
                             names_of(result.study).law_prefix(report.spec.law),
                             report.compliant_solver),
         .group = "expectations",
         .state = state_if(report.held),
         .type = report.held                 ? "steps_held"
                 : std::isnan(report.growth) ? "steps_unknown"
                                             : "steps_broken",
         .message = report.reason,
         .reason = report.reason,
         .advice = std::isnan(report.growth)
                       ? "Correct the failed solve, or choose epsilon in the [[expect]] without it."
                       : "Correct the [[expect]], or choose the adapted variables: "
                         "--set 'solvers.formulation=\"adapted\"'."});
  return cases;
}

}  // namespace rigidlimit
