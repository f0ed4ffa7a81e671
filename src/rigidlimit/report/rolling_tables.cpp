#include "rigidlimit/report/rolling_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/report/steps_tables.hpp"

namespace rigidlimit {

SeriesNames names_of(const RollingStudy& study) {
  return {.several_laws = study.has_several_laws(), .after = study.after};
}

std::string claim_text(const RollingStudy& study, const BoundSpec& spec) {
  const bool of_solver = spec.subject == BoundSpec::Subject::solver_error;
  return fmt::format("{}{} {} {} ≤ {}", of_solver ? "solver error of " : "",
                     symbol_of(spec.measure.quantity), name_of(spec.measure.norm),
                     names_of(study).window(spec.measure.window), text_of(spec.bound));
}

std::string bound_line(const RollingStudy& study, const BoundReport& report) {
  const BoundJudgement& j = report.judgement;
  const std::string where =
      j.worst ? fmt::format(" at ε = {:.4g}", report.epsilons[*j.worst]) : std::string();
  // A bound that holds, holds in all rows; its row is the one nearest to the limit.
  const std::string state = report.held() ? fmt::format("held, nearest{}", where)
                            : j.worst     ? name_of(j.state) + where
                                          : std::string("not judged");
  return fmt::format(
      "bound {} {} ({}): {}", claim_text(study, report.spec), state,
      names_of(study).pairing(report.spec.law, report.compliant_solver, report.rigid_solver),
      j.reason);
}

TextTable bound_table(const RollingResult& result) {
  TextTable table{.headers = {"solvers", "bound", "worst ε", "limit", "of the limit", "result"},
                  .left_aligned = {true, true, false, false, false, true},
                  .rows = {},
                  .keys = 2};
  for (const BoundReport& report : result.bounds) {
    const BoundJudgement& j = report.judgement;
    const Tone tone = report.held()                   ? Tone::good
                      : j.state == BoundState::broken ? Tone::bad
                                                      : Tone::doubtful;
    table.rows.push_back(
        {{names_of(result.study)
              .pairing(report.spec.law, report.compliant_solver, report.rigid_solver)},
         {claim_text(result.study, report.spec)},
         {j.worst ? fmt::format("{:.3e}", report.epsilons[*j.worst]) : "-"},
         {number_text(j.limit)},
         {std::isnan(j.factor) ? "-" : fmt::format("{:.4g}", j.factor)},
         {j.worst ? name_of(j.state) : "not judged", tone}});
  }
  return table;
}

TextTable energy_table(const RollingResult& result) {
  TextTable table{.headers = {"solver", "ε", "K* + P", "spring", "work", "damper", "unaccounted"},
                  .left_aligned = {true, false, false, false, false, false, false},
                  .rows = {},
                  .keys = 2};
  for (const EnergyReport& e : result.energy)
    table.rows.push_back({{names_of(result.study).law_prefix(e.law) + e.compliant_solver},
                          {number_text(e.epsilon)},
                          {number_text(e.sizes.mechanical)},
                          {number_text(e.sizes.spring)},
                          {number_text(e.sizes.work)},
                          {number_text(e.sizes.damper)},
                          {number_text(e.sizes.defect)}});
  return table;
}

TextTable rigid_table(const RollingResult& result) {
  TextTable table{
      .headers = {"solver", "compared with", "q error", "v error", "Λ error", "‖G v‖",
                  "energy error", "kinetic", "steps", "outcome"},
      .left_aligned = {true, true, false, false, false, false, false, false, false, true},
      .rows = {}};
  for (const RigidReport& r : result.rigid)
    table.rows.push_back(
        {{r.solver},
         {r.reference},
         {number_text(r.error[0])},
         {number_text(r.error[1])},
         {number_text(r.error[2])},
         {number_text(r.drift)},
         {number_text(r.energy_error)},
         {number_text(r.energy_scale)},
         {fmt::format("{}", r.work.steps)},
         {r.outcome == Outcome::success ? "ok"
                                        : fmt::format("{}: {}", name_of(r.outcome), r.message),
          r.outcome == Outcome::success ? Tone::plain : Tone::bad}});
  return table;
}

namespace {

const char* bound_advice(BoundState state) {
  switch (state) {
    case BoundState::held: return "Nothing to do.";
    case BoundState::outside: return "Choose ε within the interval of the [[bound]].";
    case BoundState::undecided:
    case BoundState::unknown:
      return "Correct failed solves, tighten the tolerances of the solvers, or improve the "
             "reference.";
    case BoundState::broken: break;
  }
  return "Correct the [[bound]], or check the solves at that ε.";
}

}  // namespace

std::vector<JunitCase> claims_of(const RollingResult& result) {
  const SeriesNames names = names_of(result.study);
  std::vector<JunitCase> cases = cases_of(result.series, names);
  std::ranges::move(step_cases(result), std::back_inserter(cases));
  for (const BoundReport& report : result.bounds)
    cases.push_back(
        {.name = fmt::format("bound {}, {}{} against {}", claim_text(result.study, report.spec),
                             names.law_prefix(report.spec.law), report.compliant_solver,
                             report.rigid_solver),
         .group = "bounds",
         .failed = !report.held(),
         .type = fmt::format("bound_{}", name_of(report.judgement.state)),
         .message = bound_line(result.study, report),
         .reason = report.judgement.reason,
         .advice = bound_advice(report.judgement.state)});
  return cases;
}

}  // namespace rigidlimit
