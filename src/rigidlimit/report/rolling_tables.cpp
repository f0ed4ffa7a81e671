#include "rigidlimit/report/rolling_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/report/steps_tables.hpp"

namespace rigidlimit {

SeriesNames names_of(const RollingStudy& study) {
  return {.several_laws = study.has_several_laws(), .after = study.after};
}

std::string claim_text(const RollingStudy& study, const BoundSpec& spec) {
  const bool of_solver = spec.subject == BoundSpec::Subject::solver_error;
  using Proof = BoundSpec::Proof;
  const char* proof = spec.proof == Proof::none   ? ""
                      : spec.proof == Proof::rows ? ", proved"
                                                  : ", proved for all ε at once";
  return fmt::format("{}{} {} {} ≤ {}{}", of_solver ? "solver error of " : "",
                     symbol_of(spec.measure), name_of(spec.measure.norm),
                     names_of(study).window(spec.measure.window), text_of(spec.bound), proof);
}

std::string bound_line(const RollingStudy& study, const BoundReport& report) {
  const BoundJudgement& j = report.judgement;
  const std::string where =
      j.worst ? fmt::format(" at ε = {:.4g}", report.epsilons[*j.worst]) : std::string();
  // A bound that holds, holds in all rows; its row is the one nearest to the limit.
  const std::string state = report.held() ? fmt::format("held, nearest{}", where)
                            : j.worst || j.state != BoundState::outside ? name_of(j.state) + where
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
          {"quantity", {}, [](const B& b) { return quantity_name(b.spec.measure); }},
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
           [](const B& b) {
             return b.judgement.state != BoundState::outside ? name_of(b.judgement.state)
                                                             : "not judged";
           },
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

Columns<EnclosureReport> enclosure_columns() {
  using E = EnclosureReport;
  const auto radius = [](double E::*of) {
    return [of](const E& e) { return rounded_up(e.*of, 1, Notation::scientific); };
  };
  return {{"epsilon", "ε", &E::epsilon, "{:.3e}"},
          {"steps", "steps", &E::steps, "{}"},
          {"q_radius", {}, &E::q},
          {"v_radius", {}, &E::v},
          {"lambda_radius", {}, &E::lambda},
          {"", "q", radius(&E::q), "{}"},
          {"", "v", radius(&E::v), "{}"},
          {"", "λ", radius(&E::lambda), "{}"},
          {"reason", "not enclosed", &E::reason}};
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
       {"", "steps", [](const R& r) { return count_value(r.work.steps); }, of_counts},
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
  const RollingStudy& study = result.study;
  std::vector<JunitCase> cases = cases_of(result.series, names);
  std::vector<LawName> laws;
  for (const std::string& law : study.contact.laws) laws.push_back({law, {}});
  const char* const why = "no solve of both motions has ended";
  std::ranges::move(
      missing_cases(study.expectations, laws, study.solvers.compliant, result.series, names, why),
      std::back_inserter(cases));
  std::ranges::move(step_cases(result), std::back_inserter(cases));
  for (const BoundReport& report : result.bounds)
    cases.push_back(
        {.name = fmt::format("bound {}, {}{} against {}", claim_text(result.study, report.spec),
                             names.law_prefix(report.spec.law), report.compliant_solver,
                             report.rigid_solver),
         .group = "bounds",
         .state = state_if(report.held()),
         .type = fmt::format("bound_{}", name_of(report.judgement.state)),
         .message = bound_line(result.study, report),
         .reason = report.judgement.reason,
         .advice = bound_advice(report.judgement.state)});
  for (const BoundSpec& spec : study.bounds)
    if (std::ranges::none_of(result.bounds, [&](const BoundReport& report) {
          return report.spec.law == spec.law && report.spec.measure == spec.measure;
        }))
      cases.push_back({.name = "bound " + claim_text(study, spec),
                       .group = "bounds",
                       .state = ClaimState::failed,
                       .type = "bound_unknown",
                       .message = fmt::format("bound {}: {}", claim_text(study, spec), why),
                       .reason = why});
  for (const StepsSpec& spec : study.steps)
    if (std::ranges::none_of(
            result.steps, [&](const StepsReport& report) { return report.spec.law == spec.law; }))
      cases.push_back({.name = "growth of the steps, " + spec.law,
                       .group = "expectations",
                       .state = ClaimState::failed,
                       .type = "nothing_compared",
                       .message = "nothing to compare: no ε of the study lies in the interval",
                       .reason = "no ε of the study lies in the interval"});
  return cases;
}

namespace {

/// The norms and windows to show: sup in both windows, those with expectations, the selected ones.
std::vector<std::pair<Norm, Window>> shown_measures(const RollingStudy& study,
                                                    const TableChoice& choice) {
  std::vector<std::pair<Norm, Window>> shown;
  for (const Norm norm : rolling_norms)
    for (const Window window : rolling_windows) {
      if (choice.norm.value_or(norm) != norm || choice.window.value_or(window) != window) continue;
      const auto is_measured = [&](const auto& e) {
        return e.measure.norm == norm && e.measure.window == window;
      };
      if (norm == Norm::sup || choice.norm ||
          std::ranges::any_of(study.expectations, is_measured) ||
          std::ranges::any_of(study.bounds, is_measured))
        shown.emplace_back(norm, window);
    }
  return shown;
}

/// One law and pair of solvers.
struct Pairing {
  const std::string& law;
  const std::string& rigid;
  const std::string& compliant;

  bool has(const Series& s) const {
    if (s.rows.empty()) return false;
    const Row& row = s.rows.front();
    return row.law.name == law && row.rigid_solver == rigid && row.compliant_solver == compliant;
  }
  bool has(const BoundReport& b) const {
    return b.spec.law == law && b.rigid_solver == rigid && b.compliant_solver == compliant;
  }
};

SeriesColumns columns_of(const RollingResult& result, const Pairing& pairing, Norm norm,
                         Window window) {
  SeriesColumns columns;
  for (const Series& s : result.series)
    if (pairing.has(s) && s.rows.front().measure.norm == norm &&
        s.rows.front().measure.window == window)
      columns.push_back(&s);
  return columns;
}

/// The errors of one pairing with their predictions.
void add_errors(std::vector<CaptionedTable>& tables, const RollingResult& result,
                const Pairing& who, const TableChoice& choice) {
  const RollingStudy& study = result.study;
  const SeriesNames names = names_of(study);
  const bool one_pairing =
      study.contact.laws.size() * study.solvers.rigid.size() * study.solvers.compliant.size() == 1;
  for (const auto& [norm, window] : shown_measures(study, choice)) {
    const SeriesColumns columns = columns_of(result, who, norm, window);
    const std::string measure = fmt::format(
        "{}{} against {}{}, {} norm, {}", names.law_prefix(who.law), who.compliant, who.rigid,
        study.against == Against::composite ? " and the composite expansion" : "", name_of(norm),
        names.window(window));
    const std::string key = fmt::format(
        "{}{}-{}", one_pairing ? "" : fmt::format("{}-{}-{}-", who.law, who.compliant, who.rigid),
        name_of(norm), name_of(window));
    tables.push_back({"errors-" + key,
                      measure + (study.solvers.certified
                                     ? ": model error ± a radius that covers its bounds"
                                     : ": model error ± error bar (solver, reference or sampling)"),
                      error_table(columns)});
    tables.push_back({"ratios-" + key,
                      measure + ": predicted leading coefficient, measured over predicted",
                      ratio_table(columns)});
  }
}

std::vector<CaptionedTable> all_tables(const RollingResult& result, const TableChoice& choice) {
  const RollingStudy& study = result.study;
  std::vector<CaptionedTable> tables{
      {"rigid", "Rigid motion", text_table(rigid_columns(), result.rigid)}};
  for (const std::string& rigid : study.solvers.rigid)
    for (const std::string& law : study.contact.laws)
      for (const std::string& compliant : study.solvers.compliant)
        add_errors(tables, result, {law, rigid, compliant}, choice);
  tables.push_back({"energy",
                    "Energy of the compliant motions over [0, T], J: change of K* + P and of "
                    "the spring, work of other forces, loss",
                    text_table(energy_columns(study), result.energy, 2)});
  tables.push_back({"enclosures", "Enclosed motions: largest radius of both",
                    text_table(enclosure_columns(), result.enclosures)});
  tables.push_back(
      {"orders", "Orders", verdict_table(result.series, names_of(study), choice.norm.has_value())});
  tables.push_back(
      {"coefficients", "Coefficients", ratio_verdict_table(result.series, names_of(study))});
  tables.push_back({"bounds", "Bounds", text_table(bound_columns(study), result.bounds, 2)});
  tables.push_back({"steps", "Steps (rejected) of the first solves", step_table(result)});
  tables.push_back(
      {"growth", "Growth of the steps", text_table(growth_columns(study), result.steps, 2)});
  tables.push_back({"laws",
                    fmt::format("Laws: fitted and expected orders (sup norm, all t), errors and "
                                "steps at ε = {:.4g}",
                                study.epsilons.back()),
                    law_table(result)});
  return tables;
}

}  // namespace

const std::vector<std::string>& table_names() {
  static const std::vector<std::string> names{"rigid",      "errors", "ratios",       "energy",
                                              "enclosures", "orders", "coefficients", "bounds",
                                              "steps",      "growth", "laws"};
  return names;
}

RollingResult chosen(RollingResult result, const TableChoice& choice) {
  const auto is_out = [&](const std::string& law, const std::string& solver) {
    return (!choice.law.empty() && law != choice.law) ||
           (!choice.solver.empty() && solver != choice.solver);
  };
  const auto measures_other = [&](const auto& of) {
    return of.measure.quantity != choice.quantity.value_or(of.measure.quantity) ||
           of.measure.norm != choice.norm.value_or(of.measure.norm) ||
           of.measure.window != choice.window.value_or(of.measure.window);
  };
  std::erase_if(result.series, [&](const Series& s) {
    return s.rows.empty() || measures_other(s.rows.front()) ||
           is_out(s.rows.front().law.name, s.rows.front().compliant_solver);
  });
  std::erase_if(result.bounds, [&](const BoundReport& b) {
    return measures_other(b.spec) || is_out(b.spec.law, b.compliant_solver);
  });
  std::erase_if(result.step_counts,
                [&](const StepCount& c) { return is_out(c.law, c.compliant_solver); });
  std::erase_if(result.steps,
                [&](const StepsReport& s) { return is_out(s.spec.law, s.compliant_solver); });
  std::erase_if(result.energy,
                [&](const EnergyReport& e) { return is_out(e.law, e.compliant_solver); });
  return result;
}

std::vector<CaptionedTable> report_tables(const RollingResult& result, const TableChoice& choice) {
  auto tables = all_tables(choice.anything() ? chosen(result, choice) : result, choice);
  std::erase_if(tables, [&](const CaptionedTable& t) {
    return t.table.rows.empty() ||
           (!choice.table.empty() && t.key.substr(0, t.key.find('-')) != choice.table);
  });
  return tables;
}

std::vector<CaptionedTable> brief_tables(const RollingResult& result) {
  std::vector<CaptionedTable> all = report_tables(result), brief;
  const auto take = [&](const char* kind) {
    const auto at = std::ranges::find_if(
        all, [&](const CaptionedTable& t) { return t.key.substr(0, t.key.find('-')) == kind; });
    if (at != all.end()) brief.push_back(std::move(*at));
  };
  take("errors");
  if (result.study.has_several_laws())
    take("laws");
  else
    brief.push_back({"orders", "Orders", expectation_table(result.series, names_of(result.study))});
  if (result.study.counts_steps()) take("growth");
  if (result.study.time.end_only) take("steps");
  return brief;
}

namespace {

const Series* series_over_all_times(const RollingResult& result, const Pairing& pairing,
                                    Quantity quantity) {
  for (const Series& s : result.series)
    if (pairing.has(s) && s.rows.front().measure == Measure{.quantity = quantity}) return &s;
  return nullptr;
}

/// "2.00 / 2", "0.00 / none", "- / exact", "1.00".
Cell order_cell(const Series& s) {
  const OrderFit& fit = s.judgement.fit;
  std::string text = std::isnan(fit.order) ? "-" : fixed_text(fit.order, 2);
  if (!s.expectation || !s.expectation->judges_errors()) return {text};
  text += " / ";
  const Expectation expected = s.expectation->expected_order();
  text += expected.order ? fmt::format("{}{:.3g}", expected.at_least ? "≥ " : "", *expected.order)
                         : std::string(name_of(s.expectation->convergence));
  return {text, tone_of(s.judgement.verdict)};
}

std::vector<Cell> cells_of(const RollingResult& result, const Pairing& pairing) {
  std::vector<Cell> orders, errors;
  std::string steps = "-";
  for (const Quantity quantity : all_quantities) {
    const Series* s = series_over_all_times(result, pairing, quantity);
    orders.push_back(s ? order_cell(*s) : Cell{"-"});
    errors.push_back({s ? error_text(s->rows.back()) : "-"});
    if (s) steps = count_text(s->rows.back().work.steps);
  }
  std::vector<Cell> cells = std::move(orders);
  std::ranges::move(errors, std::back_inserter(cells));
  cells.push_back({steps});
  return cells;
}

}  // namespace

std::string law_verdict(const RollingResult& result, const std::string& law,
                        const std::string& rigid_solver, const std::string& compliant_solver) {
  const Pairing pairing{law, rigid_solver, compliant_solver};
  int judged = 0;
  bool held = true, apart = false, exact = false;
  for (const Series& s : result.series) {
    if (!pairing.has(s) || !s.expectation) continue;
    ++judged;
    held = held && s.held();
    apart = apart || s.expectation->convergence == Convergence::none;
    exact = exact || s.expectation->convergence == Convergence::exact;
  }
  for (const StepsReport& s : result.steps) {
    if (s.spec.law != law || s.compliant_solver != compliant_solver) continue;
    ++judged;
    held = held && s.held;
  }
  for (const BoundReport& b : result.bounds) {
    if (!pairing.has(b)) continue;
    ++judged;
    held = held && b.held();
  }
  if (judged == 0) return "nothing expected";
  if (!held) return "not held";
  if (apart) return "does not converge, as expected";
  return exact ? "exact, as expected" : "held";
}

TextTable law_table(const RollingResult& result) {
  const RollingStudy& study = result.study;
  TextTable table{
      .headers = {"law", "ε is", "order of q", "v", "λ", "q error", "v error", "λ error", "steps",
                  "verdict"},
      .left_aligned = {true, true, false, false, false, false, false, false, false, true},
      .rows = {},
      .breaks = {1, 2, 5, 8}};
  if (!study.has_several_laws()) return table;
  const bool one_pair = study.solvers.rigid.size() * study.solvers.compliant.size() == 1;
  for (const std::string& law : study.contact.laws)
    for (const std::string& rigid : study.solvers.rigid)
      for (const std::string& compliant : study.solvers.compliant) {
        const std::string verdict = law_verdict(result, law, rigid, compliant);
        std::vector<Cell> cells{
            {one_pair ? law : fmt::format("{}, {} / {}", law, compliant, rigid)},
            {find_law(law)->small_parameter}};
        std::ranges::move(cells_of(result, {law, rigid, compliant}), std::back_inserter(cells));
        cells.push_back({verdict, verdict == "not held"           ? Tone::bad
                                  : verdict == "nothing expected" ? Tone::plain
                                                                  : Tone::good});
        table.rows.push_back(std::move(cells));
      }
  return table;
}

}  // namespace rigidlimit
