#include "rigidlimit/experiment/rolling/rolling_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/convergence/text.hpp"
#include "rigidlimit/experiment/ensemble/ensemble_tables.hpp"
#include "rigidlimit/experiment/judge/work_columns.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/rolling/steps_tables.hpp"
#include "rigidlimit/experiment/spec/system_tables.hpp"

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
  const std::string state =
      report.held() ? fmt::format("{}, nearest{}", report.proved ? "proved" : "held", where)
      : j.worst || j.state != BoundState::outside ? name_of(j.state) + where
                                                  : std::string("not judged");
  return fmt::format(
      "bound {} {} ({}): {}", claim_text(study, report.spec), state,
      names_of(study).pairing(report.spec.law, report.compliant_solver, report.rigid_solver),
      j.reason);
}

namespace {

/// The columns of a law and a compliant solver; `spec` gives the name of the law.
template <class Row, class LawOf>
Columns<Row> of_solver(const RollingStudy& study, const LawOf& law_of) {
  const SeriesNames names = names_of(study);
  return {
      {"law", "law", law_of},
      ColumnOf<Row>("compliant_solver", "solver", &Row::compliant_solver).said([=](const Row& row) {
        return names.law_prefix(std::invoke(law_of, row)) + row.compliant_solver;
      })};
}

}  // namespace

Table bound_rows(const SharedRolling& result) {
  using B = BoundReport;
  using C = ColumnOf<B>;
  const RollingStudy& study = result->study;
  const auto tone = [](const B& b) {
    return b.held()                                  ? Tone::good
           : b.judgement.state == BoundState::broken ? Tone::bad
                                                     : Tone::doubtful;
  };
  Columns<B> columns = of_solver<B>(study, [](const B& b) { return b.spec.law; });
  columns.insert(columns.begin() + 1, C("rigid_solver", "against", &B::rigid_solver));
  append(columns,
         {{"quantity", "", [](const B& b) { return quantity_name(b.spec.measure); }},
          {"norm", "", [](const B& b) { return name_of(b.spec.measure.norm); }},
          {"window", "", [](const B& b) { return name_of(b.spec.measure.window); }},
          {"of", "",
           [](const B& b) {
             return b.spec.subject == BoundSpec::Subject::solver_error ? "solver_error"
                                                                       : "model_error";
           }},
          {"constant", "", [](const B& b) { return b.spec.bound.constant; }},
          {"power", "", [](const B& b) { return b.spec.bound.power; }},
          {"epsilon_from", "", [](const B& b) { return b.spec.bound.from; }},
          {"epsilon_to", "", [](const B& b) { return b.spec.bound.to; }},
          C("claim", "bound",
            [result](const B& b) {
              return claim_text(result->study, b.spec);
            }).noted(),
          C("state", "result", [](const B& b) { return name_of(b.judgement.state); })
              .toned(tone)
              .said([](const B& b) {
                return b.judgement.state != BoundState::outside ? name_of(b.judgement.state)
                                                                : "not judged";
              }),
          {"worst_epsilon", "worst ε",
           [](const B& b) {
             return b.judgement.worst ? Value(b.epsilons[*b.judgement.worst]) : Value();
           },
           "{:.3e}"},
          {"limit", "limit", [](const B& b) { return b.judgement.limit; }, "{:.3e}"},
          {"factor", "of the limit", [](const B& b) { return b.judgement.factor; }, "{:.4g}"},
          C("reason", "", [](const B& b) { return b.judgement.reason; }).noted(),
          {"held", "", &B::held}});
  return table_of("bounds", columns, part_of(result, &RollingResult::bounds), 11);
}

Table energy_rows(const SharedRolling& result) {
  using E = EnergyReport;
  Columns<E> columns = of_solver<E>(result->study, &E::law);
  append(columns,
         {{"epsilon", "ε", &E::epsilon, "{:.3e}"},
          {"mechanical", "K* + P", [](const E& e) { return e.sizes.mechanical; }, "{:.3e}"},
          {"spring", "spring", [](const E& e) { return e.sizes.spring; }, "{:.3e}"},
          {"work", "work", [](const E& e) { return e.sizes.work; }, "{:.3e}"},
          {"damper", "damper", [](const E& e) { return e.sizes.damper; }, "{:.3e}"},
          {"unaccounted", "unaccounted", [](const E& e) { return e.sizes.defect; }, "{:.3e}"}});
  return table_of("energy", columns, part_of(result, &RollingResult::energy), 3);
}

Table enclosure_rows(const SharedRolling& result) {
  using E = EnclosureReport;
  using C = ColumnOf<E>;
  const auto radius = [](const char* name, const char* header, double E::*of) {
    return C(name, header, of, "{:.1e}").said([of](const E& e) {
      return rounded_up(e.*of, 1, Notation::scientific);
    });
  };
  return table_of<E>("enclosures",
                     {{"epsilon", "ε", &E::epsilon, "{:.3e}"},
                      {"steps", "steps", &E::steps},
                      radius("q_radius", "q", &E::q),
                      radius("v_radius", "v", &E::v),
                      radius("lambda_radius", "λ", &E::lambda),
                      C("reason", "not enclosed", &E::reason).noted()},
                     part_of(result, &RollingResult::enclosures));
}

Table rigid_rows(const SharedRolling& result) {
  using R = RigidReport;
  using C = ColumnOf<R>;
  return table_of<R>(
      "rigid",
      with_work<R>(
          {C("solver", "solver", &R::solver), C("reference", "compared with", &R::reference),
           C("multiplier_in_error_test", "", &R::multiplier_tested),
           C("outcome", "outcome", [](const R& r) { return name_of(r.outcome); })
               .toned([](const R& r) { return tone_of(r.outcome); })
               .said([](const R& r) {
                 return r.outcome == Outcome::success
                            ? "ok"
                            : fmt::format("{}: {}", name_of(r.outcome), r.message);
               }),
           C(
               "q_error", "q error", [](const R& r) { return r.error[0]; }, "{:.3e}"),
           C(
               "v_error", "v error", [](const R& r) { return r.error[1]; }, "{:.3e}"),
           C(
               "lambda_error", "Λ error", [](const R& r) { return r.error[2]; }, "{:.3e}"),
           C("drift", "‖G v‖", &R::drift, "{:.3e}"),
           C("invariant_drift", "", &R::invariant_drift, "{:.3e}"),
           C("joint_drift", "", &R::joint_drift, "{:.3e}"), C("energy_work", "", &R::energy_work),
           C("energy_error", "energy error", &R::energy_error, "{:.3e}"),
           C("energy_scale", "kinetic", &R::energy_scale, "{:.3e}")},
          &R::work),
      part_of(result, &RollingResult::rigid), 2);
}

Table failure_rows(const SharedRolling& result) {
  using F = CompliantSolve;
  return table_of<F>("failures",
                     {{"law", "", [](const F& f) { return f.law.name; }},
                      {"compliant_solver", "", &F::solver},
                      {"epsilon", "ε", &F::epsilon, "{:.3e}"},
                      {"tighter", "", &F::tighter},
                      ColumnOf<F>("message", "", &F::message).noted(),
                      {"outcome", "", [](const F& f) { return name_of(f.outcome); }},
                      {"t_reached", "", &F::t_reached},
                      {"last_step", "", &F::last_step}},
                     part_of(result, &RollingResult::failures), 4)
      .kept(Kept::in_document);
}

namespace {

/// Of a bound for all ε that the rows do not break and no theorem proves, no solve matters.
const char* bound_advice(const BoundReport& report) {
  const BoundState state = report.judgement.state;
  if (state == BoundState::undecided && report.spec.proof == BoundSpec::Proof::all)
    return "No tolerance of a solver changes a theorem: raise K or shrink the interval of ε of the "
           "[[bound]]; 'rigidlimit prove' prints the errors that are proved.";
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

/// Of the rigid or the compliant solve because of which a row has no number.
std::string message_of_failed_solve(const RollingResult& result, const Row& row) {
  if (row.evidence.rigid != Outcome::success) {
    const auto at = std::ranges::find(result.rigid, row.rigid_solver, &RigidReport::solver);
    return at == result.rigid.end() ? "" : at->message;
  }
  return message_of_failure(result.failures, row);
}

}  // namespace

std::vector<JudgedClaim> claims_of(const RollingResult& result) {
  const SeriesNames names = names_of(result.study);
  const RollingStudy& study = result.study;
  const MissingReasons missing{
      .no_prediction = result.no_prediction,
      .failure = [&](const Row& row) { return message_of_failed_solve(result, row); }};
  std::vector<JudgedClaim> cases = cases_of(result.series, names, missing);
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
         .advice = bound_advice(report),
         .proved = report.held() && report.proved});
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
  if (result.ensemble) append(cases, claims_of(*result.ensemble, names));
  return cases;
}

namespace {

/// Whether pages show the errors in this norm and window: sup in both windows, and those with
/// claims.
bool shows_window(const RollingStudy& study, Norm norm, Window window) {
  const auto is_measured = [&](const auto& claim) {
    return claim.measure.norm == norm && claim.measure.window == window;
  };
  return norm == Norm::sup || std::ranges::any_of(study.expectations, is_measured) ||
         std::ranges::any_of(study.bounds, is_measured);
}

/// One law and pair of solvers.
struct Pairing {
  std::string law, rigid, compliant;

  bool has(const Series& s) const {
    if (s.rows.empty()) return false;
    const Row& row = s.rows.front();
    return row.law.name == law && row.rigid_solver == rigid && row.compliant_solver == compliant;
  }
  bool has(const BoundReport& b) const {
    return b.spec.law == law && b.rigid_solver == rigid && b.compliant_solver == compliant;
  }
};

std::vector<Pairing> pairings_of(const RollingStudy& study) {
  std::vector<Pairing> all;
  for (const std::string& rigid : study.solvers.rigid)
    for (const std::string& law : study.contact.laws)
      for (const std::string& compliant : study.solvers.compliant)
        all.push_back({law, rigid, compliant});
  return all;
}

/// The errors of one pairing, and their predictions.
void add_errors(std::vector<View>& views, const RollingStudy& study, const Pairing& pairing,
                bool is_only) {
  const SeriesNames names = names_of(study);
  for (const Norm norm : rolling_norms)
    for (const Window window : rolling_windows) {
      const std::string measure = fmt::format(
          "{}{} against {}{}, {} norm, {}", names.law_prefix(pairing.law), pairing.compliant,
          pairing.rigid, study.against == Against::composite ? " and the composite expansion" : "",
          name_of(norm), names.window(window));
      const std::string key = fmt::format(
          "{}{}-{}",
          is_only ? "" : fmt::format("{}-{}-{}-", pairing.law, pairing.compliant, pairing.rigid),
          name_of(norm), name_of(window));
      const RowFilter rows = with_values({{"law", pairing.law},
                                          {"rigid_solver", pairing.rigid},
                                          {"compliant_solver", pairing.compliant},
                                          {"norm", name_of(norm)},
                                          {"window", name_of(window)}});
      for (View view :
           {error_view(
                "errors-" + key,
                measure + (study.solvers.certified
                               ? ": model error ± a radius that covers its bounds"
                               : ": model error ± error bar (solver, reference or sampling)"),
                rows),
            ratio_view("ratios-" + key,
                       measure + ": predicted leading coefficient, measured over predicted",
                       rows)}) {
        view.on_page = shows_window(study, norm, window);
        views.push_back(std::move(view));
      }
    }
}

}  // namespace

std::vector<View> rolling_views(const RollingResult& result) {
  const RollingStudy& study = result.study;
  std::vector<View> views{
      {.key = "rigid",
       .caption = "Rigid motion",
       .table = "rigid",
       .columns = {"solver", "reference", "q_error", "v_error", "lambda_error", "drift",
                   "energy_error", "energy_scale", "work.steps", "outcome"}}};
  const std::vector<Pairing> pairings = pairings_of(study);
  for (const Pairing& pairing : pairings) add_errors(views, study, pairing, pairings.size() == 1);
  if (views.size() > 1) views[1].in_brief = true;
  const bool several = study.has_several_laws();
  views.push_back({.key = "energy",
                   .caption =
                       "Energy of the compliant motions over [0, T], J: change of K* + P and "
                       "of the spring, work of other forces, loss",
                   .table = "energy",
                   .columns = {"compliant_solver", "epsilon", "mechanical", "spring", "work",
                               "damper", "unaccounted"},
                   .keys = 2});
  views.push_back({.key = "enclosures",
                   .caption = "Enclosed motions: largest radius of both",
                   .table = "enclosures"});
  views.push_back(order_view());
  views.push_back(expectation_view(result.series));
  views.back().in_brief = !several;
  views.push_back(coefficient_view());
  views.push_back({.key = "bounds",
                   .caption = "Bounds",
                   .table = "bounds",
                   .columns = {"compliant_solver", "rigid_solver", "claim", "worst_epsilon",
                               "limit", "factor", "state"},
                   .keys = 3});
  views.push_back(step_view());
  views.back().in_brief = study.time.end_only;
  views.push_back(growth_view());
  views.back().in_brief = study.counts_steps();
  views.push_back(
      {.key = "laws",
       .caption = fmt::format("Laws: fitted and expected orders (sup norm, all t), "
                              "errors and steps at ε = {:.4g}",
                              study.epsilons.back()),
       .table = "comparison_of_laws",
       .columns = pairings.size() == study.contact.laws.size()
                      ? std::vector<ViewColumn>{"law"}
                      : std::vector<ViewColumn>{"law", "compliant_solver", "rigid_solver"},
       .keys = pairings.size() == study.contact.laws.size() ? 1U : 3U,
       .in_brief = several});
  std::vector<ViewColumn>& of_laws = views.back().columns;
  of_laws.insert(of_laws.end(), {"verdict", "small_parameter"});
  for (const char* number : {"order", "error"})
    for (const Quantity quantity : quantities_of(study.system->info))
      of_laws.emplace_back(fmt::format("{}_{}", number, name_of(quantity)));
  of_laws.emplace_back("steps");
  if (result.ensemble) append(views, ensemble_views(*result.ensemble, names_of(study)));
  return views;
}

namespace {

/// "2.00 / 2", "0.00 / none", "- / exact", "1.00".
std::string claimed_order_text(const Series& s) {
  const OrderFit& fit = s.judgement.fit;
  std::string text = std::isnan(fit.order) ? "-" : fixed_text(fit.order, 2);
  if (!s.expectation || !s.expectation->judges_errors()) return text;
  const Expectation expected = s.expectation->expected_order();
  return text + " / " +
         (expected.order ? fmt::format("{}{:.3g}", expected.at_least ? "≥ " : "", *expected.order)
                         : std::string(name_of(s.expectation->convergence)));
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

namespace {

/// A law and a pair of solvers with its series over all times, in every quantity.
struct ComparedPairing {
  Pairing pairing;
  std::array<const Series*, all_quantities.size()> series{};
};

/// `of(series)` of a quantity; nothing without the series.
template <class Of>
auto of_series(std::size_t quantity, const Of& of) {
  return [=](const ComparedPairing& row) {
    const Series* const series = row.series.at(quantity);
    return series == nullptr ? Value() : Value(of(*series));
  };
}

}  // namespace

Table law_rows(const SharedRolling& result) {
  using P = ComparedPairing;
  using C = ColumnOf<P>;
  std::vector<P> rows;
  if (result->study.has_several_laws())
    for (const Pairing& pairing : pairings_of(result->study)) {
      P& row = rows.emplace_back(P{pairing});
      for (const Series& s : result->series)
        for (std::size_t k = 0; k < all_quantities.size(); ++k)
          if (pairing.has(s) && s.rows.front().measure == Measure{.quantity = all_quantities[k]})
            row.series[k] = &s;
    }
  const auto verdict = [result](const P& row) {
    return law_verdict(*result, row.pairing.law, row.pairing.rigid, row.pairing.compliant);
  };
  Columns<P> columns{
      {"law", "law", [](const P& row) { return row.pairing.law; }},
      {"rigid_solver", "against", [](const P& row) { return row.pairing.rigid; }},
      {"compliant_solver", "solver", [](const P& row) { return row.pairing.compliant; }},
      {"small_parameter", "ε is",
       [](const P& row) { return find_law(row.pairing.law)->small_parameter; }}};
  constexpr std::array order_headers{"order of q", "v", "λ", "gap"};
  constexpr std::array error_headers{"q error", "v error", "λ error", "gap error"};
  const std::size_t count = quantities_of(result->study.system->info).size();
  for (std::size_t k = 0; k < count; ++k)
    columns.push_back(
        C(fmt::format("order_{}", name_of(all_quantities[k])), order_headers[k],
          of_series(k, [](const Series& s) { return s.judgement.fit.order; }), "{:.2f}")
            .said([k](const P& row) {
              return row.series[k] == nullptr ? "-" : claimed_order_text(*row.series[k]);
            })
            .toned([k](const P& row) {
              const Series* const s = row.series[k];
              return s != nullptr && s->expectation && s->expectation->judges_errors()
                         ? tone_of(s->judgement.verdict)
                         : Tone::plain;
            }));
  for (std::size_t k = 0; k < count; ++k)
    columns.push_back(
        C(fmt::format("error_{}", name_of(all_quantities[k])), error_headers[k],
          of_series(k, [](const Series& s) { return s.rows.back().model_error(); }), "{:.3e}")
            .said([k](const P& row) {
              return row.series[k] == nullptr ? "-" : error_text(row.series[k]->rows.back());
            }));
  columns.push_back(
      C("steps", "steps",
        of_series(0, [](const Series& s) { return count_value(s.rows.back().work.steps); }),
        of_counts));
  columns.push_back(C("verdict", "verdict", verdict).toned([verdict](const P& row) {
    const std::string word = verdict(row);
    return word == "not held" ? Tone::bad : word == "nothing expected" ? Tone::plain : Tone::good;
  }));
  return table_of<P>("comparison_of_laws", columns, std::move(rows), 3);
}

}  // namespace rigidlimit
