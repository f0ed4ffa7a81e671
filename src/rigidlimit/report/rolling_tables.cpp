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

Columns<BoundReport> bound_columns(const RollingStudy& study) {
  using B = BoundReport;
  const auto tone = [](const B& b) {
    return b.held()                                  ? Tone::good
           : b.judgement.state == BoundState::broken ? Tone::bad
                                                     : Tone::doubtful;
  };
  return {{"law", {}, [](const B& b) { return b.spec.law; }},
          {"rigid_solver", {}, &B::rigid_solver},
          {"compliant_solver", {}, &B::compliant_solver},
          {"quantity", {}, [](const B& b) { return name_of(b.spec.measure.quantity); }},
          {"norm", {}, [](const B& b) { return name_of(b.spec.measure.norm); }},
          {"window", {}, [](const B& b) { return name_of(b.spec.measure.window); }},
          {"of",
           {},
           [](const B& b) {
             return b.spec.subject == BoundSpec::Subject::solver_error ? "solver_error"
                                                                       : "model_error";
           }},
          {"constant", {}, [](const B& b) { return b.spec.bound.constant; }},
          {"power", {}, [](const B& b) { return b.spec.bound.power; }},
          {"epsilon_from", {}, [](const B& b) { return b.spec.bound.from; }},
          {"epsilon_to", {}, [](const B& b) { return b.spec.bound.to; }},
          {"", "solvers",
           [&study](const B& b) {
             return names_of(study).pairing(b.spec.law, b.compliant_solver, b.rigid_solver);
           }},
          {"claim", "bound", [&study](const B& b) { return claim_text(study, b.spec); }},
          {"state", {}, [](const B& b) { return name_of(b.judgement.state); }},
          {"worst_epsilon", "worst ε",
           [](const B& b) {
             return b.judgement.worst ? Value(b.epsilons[*b.judgement.worst]) : Value();
           },
           "{:.3e}"},
          {"limit", "limit", [](const B& b) { return b.judgement.limit; }, "{:.3e}"},
          {"factor", "of the limit", [](const B& b) { return b.judgement.factor; }, "{:.4g}"},
          {"", "result",
           [](const B& b) { return b.judgement.worst ? name_of(b.judgement.state) : "not judged"; },
           "", tone},
          {"reason", {}, [](const B& b) { return b.judgement.reason; }},
          {"held", {}, &B::held}};
}

Columns<EnergyReport> energy_columns(const RollingStudy& study) {
  using E = EnergyReport;
  return {{"law", {}, &E::law},
          {"compliant_solver", {}, &E::compliant_solver},
          {"", "solver",
           [&study](const E& e) { return names_of(study).law_prefix(e.law) + e.compliant_solver; }},
          {"epsilon", "ε", &E::epsilon, "{:.3e}"},
          {"mechanical", "K* + P", [](const E& e) { return e.sizes.mechanical; }, "{:.3e}"},
          {"spring", "spring", [](const E& e) { return e.sizes.spring; }, "{:.3e}"},
          {"work", "work", [](const E& e) { return e.sizes.work; }, "{:.3e}"},
          {"damper", "damper", [](const E& e) { return e.sizes.damper; }, "{:.3e}"},
          {"unaccounted", "unaccounted", [](const E& e) { return e.sizes.defect; }, "{:.3e}"}};
}

Columns<RigidReport> rigid_columns() {
  using R = RigidReport;
  return with_work<R>(
      {{"solver", "solver", &R::solver},
       {"reference", "compared with", &R::reference},
       {"multiplier_in_error_test", {}, &R::multiplier_tested},
       {"outcome", {}, [](const R& r) { return name_of(r.outcome); }},
       {"q_error", "q error", [](const R& r) { return r.error[0]; }, "{:.3e}"},
       {"v_error", "v error", [](const R& r) { return r.error[1]; }, "{:.3e}"},
       {"lambda_error", "Λ error", [](const R& r) { return r.error[2]; }, "{:.3e}"},
       {"drift", "‖G v‖", &R::drift, "{:.3e}"},
       {"invariant_drift", {}, &R::invariant_drift},
       {"energy_work", {}, &R::energy_work},
       {"energy_error", "energy error", &R::energy_error, "{:.3e}"},
       {"energy_scale", "kinetic", &R::energy_scale, "{:.3e}"},
       {"", "steps", [](const R& r) { return r.work.steps; }, "{}"},
       {"", "outcome",
        [](const R& r) {
          return r.outcome == Outcome::success
                     ? "ok"
                     : fmt::format("{}: {}", name_of(r.outcome), r.message);
        },
        "", [](const R& r) { return r.outcome == Outcome::success ? Tone::plain : Tone::bad; }}},
      &R::work);
}

Columns<Failure> failure_columns() {
  using F = Failure;
  return {{"law", {}, &F::law},
          {"compliant_solver", {}, &F::compliant_solver},
          {"epsilon", {}, &F::epsilon},
          {"tighter", {}, &F::tighter},
          {"message", {}, &F::message},
          {"outcome", {}, [](const F& f) { return name_of(f.outcome); }},
          {"t_reached", {}, &F::t_reached},
          {"last_step", {}, &F::last_step}};
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
