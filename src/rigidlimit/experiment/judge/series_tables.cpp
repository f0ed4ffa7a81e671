#include "rigidlimit/experiment/judge/series_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/convergence/text.hpp"
#include "rigidlimit/experiment/judge/work_columns.hpp"
#include "rigidlimit/result/conclusion.hpp"

namespace rigidlimit {

std::string SeriesNames::pairing(const std::string& law, const std::string& compliant_solver,
                                 const std::string& rigid_solver) const {
  return fmt::format("{}{} / {}", law_prefix(law), compliant_solver, rigid_solver);
}

std::string SeriesNames::pairing(const Row& row) const {
  return pairing(text_of(row.law), row.compliant_solver, row.rigid_solver);
}

std::string SeriesNames::law_prefix(const std::string& law) const {
  return several_laws ? law + ", " : "";
}

std::string SeriesNames::window(Window window) const {
  switch (window) {
    case Window::all: return "all t";
    case Window::after: return fmt::format("t > {:.4g}", after);
    case Window::away: break;
  }
  return "away from events";
}

std::string error_text(const Row& row) {
  if (std::isnan(row.model_error())) return "-";
  if (const auto proved = row.proved_interval()) return outward_text(*proved, Notation::scientific);
  const double bar = row.floor();
  return fmt::format("{:.3e} ± {}", row.model_error(),
                     std::isnan(bar) ? "?" : fmt::format("{:.0e}", bar));
}

std::string number_text(double x) {
  return std::isnan(x) ? "-" : fmt::format("{:.3e}", x);
}

std::string symbol_of(const Measure& measure) {
  if (!measure.component.empty()) return measure.component;
  switch (measure.quantity) {
    case Quantity::lambda: return "λ";
    case Quantity::event_time: return "event time";
    case Quantity::q:
    case Quantity::v:
    case Quantity::gap: break;
  }
  return name_of(measure.quantity);
}

Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed: return Tone::good;
    case Verdict::settled: return Tone::plain;
    case Verdict::refuted:
    case Verdict::diverging: return Tone::bad;
    case Verdict::pre_asymptotic:
    case Verdict::floor_limited:
    case Verdict::inconclusive: break;
  }
  return Tone::doubtful;
}

Tone tone_of(Outcome outcome) {
  return outcome == Outcome::success ? Tone::plain : Tone::bad;
}

namespace {

std::string neighbour_order_text(double p) {
  return std::isnan(p) ? "-" : fixed_text(p, 2);
}

/// "lambda", "event_time (impact)".
std::string name_of(const Measure& m) {
  const std::string quantity = quantity_name(m);
  return m.events.empty() ? quantity : fmt::format("{} ({})", quantity, m.events);
}

/// "λ", "event time (impact)".
std::string quantity_text(const Measure& m) {
  return m.events.empty() ? symbol_of(m) : fmt::format("{} ({})", symbol_of(m), m.events);
}

std::string ratio_text(double ratio, double error) {
  return std::isnan(ratio) ? "-" : with_bar(ratio, error);
}

/// "0.000215".
std::string epsilon_of_ratio_text(double epsilon) {
  return fmt::format("{:.3g}", epsilon);
}

/// "0.9997 ± 2e-04 at ε = 0.000215".
std::string ratio_with_epsilon(const Row& row) {
  if (std::isnan(row.ratio)) return "-";
  return fmt::format("{} at ε = {}", ratio_text(row.ratio, row.ratio_error),
                     epsilon_of_ratio_text(row.epsilon));
}

/// The ε of the points that the fit used.
std::string fit_window_text(const Series& series) {
  const OrderFit& fit = series.judgement.fit;
  if (fit.count == 0) return "-";
  return fmt::format("{:.3g} – {:.3g} ({} of {})", series.rows[fit.first].epsilon,
                     series.rows[fit.last].epsilon, fit.count, series.rows.size());
}

/// The order extrapolated to ε → 0.
std::string limit_text(const Limit& limit) {
  return std::isnan(limit.value) ? "-" : with_bar(limit.value, limit.error);
}

std::string fitted_text(const OrderFit& fit) {
  return std::isnan(fit.order) ? "-" : with_bar(fit.order, fit.standard_error);
}

/// "2 ± 0.05", "1 ± 0.05 beside 1.5, 2", "no convergence", "no error beyond 1e-08".
std::string expected_text(const ExpectationSpec& e) {
  switch (e.convergence) {
    case Convergence::none: return "no convergence";
    case Convergence::exact: return fmt::format("no error beyond {:.4g}", e.within);
    case Convergence::bounded: return fmt::format("≤ {:.2g} at every ε", e.within);
    case Convergence::of_order: break;
  }
  const Expectation expected = e.expected_order();
  if (!expected.order) return "-";
  const std::string text = text_of(expected);
  return e.next_orders.empty()
             ? text
             : fmt::format("{} beside {:g}", text, fmt::join(e.next_orders, ", "));
}

/// Why an error is not evidence.
std::string flag_of(const Row& row) {
  if (row.evidence.state == Evidence::State::ok) return "";
  const std::string name = name_of(row.evidence);
  return row.evidence.state == Evidence::State::limited
             ? fmt::format("{} {}", quantity_text(row.measure), name)
             : name;
}

/// The row of the smallest ε that is evidence, or the first one.
const Row& last_evidence(const Series& s) {
  const auto at = std::find_if(s.rows.rbegin(), s.rows.rend(),
                               [](const Row& row) { return row.is_evidence(); });
  return at == s.rows.rend() ? s.rows.front() : *at;
}

bool judges_ratio(const Series& s) {
  return s.expectation && s.expectation->ratio;
}

/// The row whose ratio is judged, or the last evidence.
const Row& ratio_row(const Series& s) {
  return judges_ratio(s) ? s.rows[s.ratio.last] : last_evidence(s);
}

bool ratio_alone_fails(const Series& s) {
  return judges_ratio(s) && s.ratio_broken() && !s.order_broken();
}

/// The verdict on the order, or on the ratio if that alone fails.
Verdict verdict_on(const Series& s) {
  return ratio_alone_fails(s) ? s.ratio.verdict : s.judgement.verdict;
}

}  // namespace

namespace {

/// "max_steps: more than 500 steps": why a row has no number, with the message of its solve.
std::string failure_with_message(const Row& row, const MissingReasons& missing) {
  const std::string message = missing.failure ? missing.failure(row) : "";
  return failure_of(row.evidence) + (message.empty() ? "" : ": " + message);
}

/// "13 of 13 ε failed: max_steps: more than 500 steps", the first message of each outcome; empty:
/// none failed.
std::string failed_rows(const Series& series, const MissingReasons& missing) {
  std::vector<std::string> outcomes, texts;
  std::ptrdiff_t failed = 0;
  for (const Row& row : series.rows) {
    if (!row.failed()) continue;
    ++failed;
    std::string outcome = failure_of(row.evidence);
    if (std::ranges::find(outcomes, outcome) != outcomes.end()) continue;
    outcomes.push_back(std::move(outcome));
    texts.push_back(failure_with_message(row, missing));
  }
  if (failed == 0) return {};
  return fmt::format("{} of {} ε failed: {}", failed, series.rows.size(), fmt::join(texts, "; "));
}

/// The failed rows, or another reason for too few rows.
std::string why_no_order(const Series& series, const MissingReasons& missing) {
  const std::string failed = failed_rows(series, missing);
  return failed.empty() ? series.judgement.reason : failed;
}

/// Why a series has no ratio, and what to do.
struct RatioObstacle {
  std::string reason, advice;
};

/// nullopt: it has one.
std::optional<RatioObstacle> ratio_obstacle(const Series& series, const MissingReasons& missing) {
  if (std::ranges::any_of(series.rows, [](const Row& row) { return !std::isnan(row.ratio); }))
    return std::nullopt;
  if (std::string failed = failed_rows(series, missing);
      !failed.empty() &&
      std::ranges::all_of(series.rows, [](const Row& row) { return row.failed(); }))
    return RatioObstacle{std::move(failed), "Correct the failed solves."};
  if (std::isnan(series.predicted_order))
    return RatioObstacle{
        "no coefficient is predicted: " +
            (missing.no_prediction.empty()
                 ? "the theory has no leading term for this law, norm and window, or it is zero"
                 : missing.no_prediction),
        "More ε and tighter tolerances do not help. Remove `ratio` from the [[expect]] and give "
        "the order alone, or change the start, the contact or the system so that this reason is "
        "gone."};
  return RatioObstacle{"the predicted term is below the error bar at every ε",
                       "Tighten the solvers' tolerances, improve the reference, or use larger ε."};
}

/// "1.00002 ± 3e-06 at ε = 0.0001, expected 1 ± 0.001", or why there is no ratio.
std::string ratio_found_and_expected(const Series& series,
                                     const std::optional<RatioObstacle>& obstacle) {
  return fmt::format("{}, expected {:.4g} ± {:.1e}",
                     obstacle ? obstacle->reason : ratio_with_epsilon(ratio_row(series)),
                     *series.expectation->ratio, series.expectation->ratio_within);
}

/// The advice on an order is about rows and orders.
const char* ratio_advice(const Series& series) {
  switch (series.ratio.verdict) {
    case Verdict::confirmed: return "Nothing to do.";
    case Verdict::pre_asymptotic: return "Add smaller ε.";
    case Verdict::floor_limited:
      return "Tighten the solvers' tolerances, improve the reference, or widen ratio_within.";
    case Verdict::refuted:
    case Verdict::diverging:
      return "The measured coefficient differs from the prediction: check the law, its stiffness "
             "and damping, and the start.";
    case Verdict::settled:
    case Verdict::inconclusive: break;
  }
  return std::ranges::any_of(series.rows, &Row::failed)
             ? "Correct the failed solves, add ε for a longer series, or tighten the solvers' "
               "tolerances."
             : "Add ε for a longer series, or tighten the solvers' tolerances.";
}

/// "; order only: the start slides", or nothing.
std::string reason_without_ratio(const ExpectationSpec& e) {
  return e.order_only.empty() ? "" : "; order only: " + e.order_only;
}

const char* subject_of(Convergence convergence) {
  switch (convergence) {
    case Convergence::none: return "no convergence of";
    case Convergence::exact: return "no error of";
    case Convergence::bounded: return "bounded error of";
    case Convergence::of_order: break;
  }
  return "order of";
}

}  // namespace

std::string found_and_expected(const Series& series, const MissingReasons& missing) {
  const bool has_order = !std::isnan(series.judgement.fit.order);
  std::string found = has_order ? fmt::format("order {}", fitted_text(series.judgement.fit))
                                : fmt::format("no order ({})", why_no_order(series, missing));
  if (!series.expectation || !series.expectation->judges_errors()) return found;
  const Verdict verdict = series.judgement.verdict;
  if (has_order && (verdict == Verdict::inconclusive || verdict == Verdict::floor_limited)) {
    // These verdicts do not follow from the order: the reason does.
    const std::string failed = failed_rows(series, missing);
    return fmt::format("{}: {}{}", found, series.judgement.reason,
                       failed.empty() ? "" : "; " + failed);
  }
  const std::string expected = "expected " + expected_text(*series.expectation);
  if (found.find(expected) == std::string::npos) found += ", " + expected;  // of the reason
  const bool has_reason = found.find(series.judgement.reason) != std::string::npos;
  return series.expectation->expected_order().order || has_reason
             ? found
             : fmt::format("{}: {}", found, series.judgement.reason);
}

std::vector<JudgedClaim> cases_of(const std::vector<Series>& all, const SeriesNames& names,
                                  const MissingReasons& missing) {
  std::vector<JudgedClaim> cases;
  for (const Series& s : all) {
    if (!s.expectation || s.rows.empty()) continue;
    const Row& row = s.rows.front();
    const std::string measure =
        fmt::format("{} ({}, {}), {}{} against {}", name_of(row.measure), name_of(row.measure.norm),
                    names.window(row.measure.window), names.law_prefix(text_of(row.law)),
                    row.compliant_solver, row.rigid_solver);
    if (s.expectation->judges_errors())
      cases.push_back(
          {.name = fmt::format("{} {}", subject_of(s.expectation->convergence), measure),
           .group = "expectations",
           .state = state_if(!s.order_broken()),
           .type = name_of(s.judgement.verdict),
           .message = found_and_expected(s, missing) + reason_without_ratio(*s.expectation),
           .reason = s.judgement.reason,
           .advice = advice(s.judgement)});
    if (!s.expectation->ratio) continue;
    const std::optional<RatioObstacle> obstacle = ratio_obstacle(s, missing);
    cases.push_back({.name = "measured/predicted of " + measure,
                     .group = "expectations",
                     .state = state_if(!s.ratio_broken()),
                     .type = name_of(s.ratio.verdict),
                     .message = ratio_found_and_expected(s, obstacle),
                     .reason = obstacle ? obstacle->reason : s.ratio.reason,
                     .advice = obstacle ? obstacle->advice : ratio_advice(s)});
  }
  return cases;
}

std::vector<JudgedClaim> missing_cases(const std::vector<ExpectationSpec>& expectations,
                                       const std::vector<LawName>& laws,
                                       const std::vector<std::string>& solvers,
                                       const std::vector<Series>& all, const SeriesNames& names,
                                       const std::string& why) {
  std::vector<JudgedClaim> cases;
  for (const ExpectationSpec& e : expectations)
    for (const LawName& law : laws)
      for (const std::string& solver : solvers) {
        if (!e.concerns(law, e.measure)) continue;
        const bool found = std::ranges::any_of(all, [&](const Series& s) {
          if (s.rows.empty()) return false;
          const Row& row = s.rows.front();
          return row.law == law && row.measure == e.measure && row.compliant_solver == solver;
        });
        if (found) continue;
        cases.push_back(
            {.name = fmt::format("{} {}, {}{}", subject_of(e.convergence), text_of(e.measure),
                                 names.law_prefix(text_of(law)), solver),
             .group = "expectations",
             .state = ClaimState::failed,
             .type = "nothing_compared",
             .message = "nothing to compare: " + why,
             .reason = why});
      }
  return cases;
}

namespace {

/// A number of "errors" and its series.
struct Number {
  const Row* row;
  const Series* series;
};

/// The columns that identify a number or a series; `row_of` gives the row of either.
template <class Of, class RowOf>
void add_identity(Columns<Of>& columns, const SeriesNames& names, RowsOf kind, bool with_epsilon,
                  const RowOf& row_of) {
  using C = ColumnOf<Of>;
  const auto measure = [row_of](const Of& of) -> const Measure& { return row_of(of).measure; };
  columns.push_back({"law", "law", [=](const Of& of) { return row_of(of).law.name; }});
  // A law without κ has the value 1, as its contact force has.
  if (kind == RowsOf::friction)
    columns.push_back({"tangential_power", "κ", [=](const Of& of) {
                         return row_of(of).law.tangential_power.value_or(1.0);
                       }});
  columns.push_back(
      {"rigid_solver", "against", [=](const Of& of) { return row_of(of).rigid_solver; }});
  columns.push_back(C("compliant_solver", "solver", [=](const Of& of) {
                      return row_of(of).compliant_solver;
                    }).said([=](const Of& of) {
    return names.law_prefix(text_of(row_of(of).law)) + row_of(of).compliant_solver;
  }));
  if (with_epsilon)
    columns.push_back({"epsilon", "ε", [=](const Of& of) { return row_of(of).epsilon; }, "{:.3e}"});
  columns.push_back(C("quantity", "quantity", [=](const Of& of) {
                      return quantity_name(measure(of));
                    }).said([=](const Of& of) { return quantity_text(measure(of)); }));
  if (kind == RowsOf::friction)
    columns.push_back({"events", "events", [=](const Of& of) { return measure(of).events; }});
  columns.push_back({"norm", "norm", [=](const Of& of) { return name_of(measure(of).norm); }});
  columns.push_back(C("window", "window", [=](const Of& of) {
                      return name_of(measure(of).window);
                    }).said([=](const Of& of) { return names.window(measure(of).window); }));
  for (C& column : columns) column.role = Role::key;
}

/// Bounds of a proof, and the numbers that were measured.
void add_bounds(Columns<Number>& columns) {
  const auto proved = [](double ProvedSizes::*of) {
    return [of](const Number& n) {
      return n.row->proved() ? n.row->proved()->*of : ProvedSizes{}.*of;
    };
  };
  const auto measured = [](double ErrorSizes::*of) {
    return [of](const Number& n) { return n.row->proved() ? n.row->sizes.*of : ErrorSizes{}.*of; };
  };
  columns.insert(columns.end(),
                 {{"proved_lower", "", proved(&ProvedSizes::lower)},
                  {"proved_upper", "", proved(&ProvedSizes::upper)},
                  {"least_solver_error", "", proved(&ProvedSizes::least_solver)},
                  {"least_reference_error", "", proved(&ProvedSizes::least_reference)},
                  {"measured_error", "", measured(&ErrorSizes::model)},
                  {"estimated_solver_error", "", measured(&ErrorSizes::solver)},
                  {"estimated_reference_error", "", measured(&ErrorSizes::reference)}});
}

Columns<Number> number_columns(const SeriesNames& names, RowsOf kind) {
  using C = ColumnOf<Number>;
  const auto of = [](auto member) {
    return [member](const Number& n) { return std::invoke(member, *n.row); };
  };
  const auto tone = [](const Number& n) {
    return n.row->is_evidence() ? Tone::plain : Tone::faint;
  };
  Columns<Number> columns;
  add_identity(columns, names, kind, true, [](const Number& n) -> const Row& { return *n.row; });
  columns.insert(
      columns.end(),
      {C("model_error", "error", of(&Row::model_error))
           .within({"solver_error", "reference_error", "sampling_error"})
           .toned(tone)
           .said([](const Number& n) { return error_text(*n.row); }),
       C("solver_error", "", of(&Row::solver_error), "{:.1e}"),
       C("reference_error", "", of(&Row::reference_error), "{:.1e}"),
       C(
           "sampling_error", "", [](const Number& n) { return n.row->sizes.sampling; }, "{:.1e}")});
  if (kind == RowsOf::certified) add_bounds(columns);
  columns.insert(
      columns.end(),
      {C("order", "order", of(&Row::order)).toned(tone).said([](const Number& n) {
         return neighbour_order_text(n.row->order);
       }),
       C("predicted_coefficient", "K", of(&Row::predicted_coefficient)),
       C("ratio", "measured/predicted", of(&Row::ratio))
           .within({"ratio_error"})
           .said([](const Number& n) { return ratio_text(n.row->ratio, n.row->ratio_error); }),
       C("ratio_error", "", of(&Row::ratio_error), "{:.1e}"),
       C("verdict", "", [](const Number& n) { return name_of(n.row->verdict); }),
       C("status", "flags", [](const Number& n) {
         return name_of(n.row->evidence);
       }).said([](const Number& n) {
           return flag_of(*n.row);
         }).toned([](const Number&) { return Tone::doubtful; })});
  for (const auto& [name, count] : work_counters)
    columns.push_back(C(
        std::string("work.") + name, "",
        [counter = count](const Number& n) { return count_value(n.row->work.*counter); },
        of_counts));
  columns.push_back(
      {"error_bar", "", [](const Number& n) { return n.row->error_bar(); }, "{:.1e}"});
  columns.push_back(
      {"predicted_order", "p", [](const Number& n) { return n.series->predicted_order; }});
  return columns;
}

/// The expectation on the order.
void add_expected_order(Columns<const Series*>& columns) {
  using S = const Series*;
  using C = ColumnOf<S>;
  // Nothing for a series without the expectation.
  const auto expected = [](auto value) {
    return [value](S s) {
      return s->expectation && s->expectation->judges_errors() ? value(*s) : Value();
    };
  };
  columns.insert(
      columns.end(),
      {C("expected_order", "expected", expected([](const Series& s) {
           const auto& order = s.expectation->order;
           return order ? Value(*order) : Value();
         }),
         "{:.4g}")
           .if_any()
           .said([](S s) { return s->expectation ? expected_text(*s->expectation) : "-"; }),
       C("expected_at_least", "", expected([](const Series& s) {
           const ExpectationSpec& e = *s.expectation;
           return !e.order && e.at_least ? Value(*e.at_least) : Value();
         }),
         "{:.4g}")
           .if_any(),
       C("expected_convergence", "", expected([](const Series& s) {
           const ExpectationSpec& e = *s.expectation;
           return e.order || e.at_least ? Value() : Value(name_of(e.convergence));
         }))
           .if_any(),
       C("next_orders", "", expected([](const Series& s) {
           const auto& orders = s.expectation->next_orders;
           return orders.empty() ? Value() : Value(orders);
         }),
         "{:.4g}")
           .if_any(),
       C("within", "", expected([](const Series& s) { return Value(s.expectation->within); }),
         "{:.4g}")
           .if_any(),
       C("held", "", expected([](const Series& s) { return Value(!s.order_broken()); })).if_any(),
       C("order_only", "", expected([](const Series& s) {
           const std::string& why = s.expectation->order_only;
           return why.empty() ? Value() : Value(why);
         }))
           .if_any()});
}

/// The expectation on the ratio.
void add_expected_ratio(Columns<const Series*>& columns) {
  using S = const Series*;
  using C = ColumnOf<S>;
  const auto expected = [](auto value) {
    return [value](S s) { return judges_ratio(*s) ? Value(value(*s)) : Value(); };
  };
  const auto of_ratio = [&](auto RatioJudgement::*member) {
    return expected([member](const Series& s) { return s.ratio.*member; });
  };
  columns.insert(
      columns.end(),
      {C("ratio.expected", "expected",
         expected([](const Series& s) { return *s.expectation->ratio; }), "{:.4g}")
           .if_any()
           .said([](S s) {
             return judges_ratio(*s) ? fmt::format("{:.4g} ± {:.1e}", *s->expectation->ratio,
                                                   s->expectation->ratio_within)
                                     : "-";
           }),
       C("ratio.within", "", expected([](const Series& s) { return s.expectation->ratio_within; }),
         "{:.1e}")
           .if_any(),
       C("ratio.found", "measured/predicted", of_ratio(&RatioJudgement::ratio), "{:.6g}")
           .if_any()
           .within({"ratio.limit_error"})
           .said([](S s) { return ratio_text(ratio_row(*s).ratio, ratio_row(*s).ratio_error); }),
       C("ratio.limit", "", of_ratio(&RatioJudgement::limit), "{:.6g}")
           .if_any()
           .within({"ratio.limit_error"}),
       C("ratio.limit_error", "", of_ratio(&RatioJudgement::limit_error), "{:.1e}").if_any(),
       C("ratio.verdict", "verdict",
         expected([](const Series& s) { return name_of(s.ratio.verdict); }))
           .if_any()
           .toned([](S s) { return judges_ratio(*s) ? tone_of(s->ratio.verdict) : Tone::plain; }),
       C("ratio.reason", "", of_ratio(&RatioJudgement::reason)).if_any().noted(),
       C("ratio.held", "", expected([](const Series& s) { return !s.ratio_broken(); })).if_any(),
       C("ratio.falls_with", "|ratio − 1| falls with",
         expected([](const Series& s) { return s.ratio.approach.order; }))
           .if_any()
           .said([](S s) {
             const OrderFit& approach = s->ratio.approach;
             return !judges_ratio(*s) || std::isnan(approach.order)
                        ? "-"
                        : fmt::format("ε^{:.2f} ({} ε)", approach.order, approach.count);
           })});
}

Columns<const Series*> series_columns(const SeriesNames& names, RowsOf kind) {
  using S = const Series*;
  using C = ColumnOf<S>;
  const auto of_fit = [](auto OrderFit::*member) {
    return [member](S s) { return s->judgement.fit.*member; };
  };
  Columns<S> columns;
  add_identity(columns, names, kind, false, [](S s) -> const Row& { return s->rows.front(); });
  columns.insert(
      columns.end(),
      {C("order", "fitted order", of_fit(&OrderFit::order))
           .within({"standard_error", "floor_error"})
           .said([](S s) { return fitted_text(s->judgement.fit); }),
       C("standard_error", "", of_fit(&OrderFit::standard_error), "{:.1e}"),
       C("coefficient", "", of_fit(&OrderFit::coefficient)),
       C("floor_error", "", of_fit(&OrderFit::floor_error), "{:.1e}"),
       C("spread", "", of_fit(&OrderFit::spread), "{:.1e}"),
       C("order_limit", "for ε → 0", [](S s) { return s->judgement.limit.value; })
           .within({"order_limit_error"})
           .said([](S s) { return limit_text(s->judgement.limit); }),
       C(
           "order_limit_error", "", [](S s) { return s->judgement.limit.error; }, "{:.1e}"),
       C("predicted_order", "", &Series::predicted_order),
       C("settled", "", of_fit(&OrderFit::settled)),
       C("points", "over ε", of_fit(&OrderFit::count)).worded().said([](S s) {
         return fit_window_text(*s);
       }),
       C("verdict", "verdict", [](S s) { return name_of(s->judgement.verdict); }).toned([](S s) {
         return tone_of(s->judgement.verdict);
       }),
       C("reason", "", [](S s) { return s->judgement.reason; }).noted(),
       C("advice", "", [](S s) { return advice(s->judgement); }).noted()});
  add_expected_order(columns);
  add_expected_ratio(columns);
  columns.push_back(
      C("last_ratio", "measured/predicted", [](S s) { return ratio_row(*s).ratio; }).said([](S s) {
        return ratio_text(ratio_row(*s).ratio, ratio_row(*s).ratio_error);
      }));
  columns.push_back(
      C("last_epsilon", "at ε", [](S s) { return ratio_row(*s).epsilon; }).said([](S s) {
        const Row& row = ratio_row(*s);
        return std::isnan(row.ratio) ? "-" : epsilon_of_ratio_text(row.epsilon);
      }));
  columns.push_back(C("verdict_of_both", "verdict", [](S s) {
                      return name_of(verdict_on(*s));
                    }).toned([](S s) {
                        return tone_of(verdict_on(*s));
                      }).said([](S s) {
    return std::string(name_of(verdict_on(*s))) + (ratio_alone_fails(*s) ? ": ratio" : "");
  }));
  return columns;
}

/// "q: K ε^2", "λ: K", "v: K ε^1.5".
std::string term_text(const Table& errors, std::size_t row) {
  const double p = errors.number(row, "predicted_order");
  const std::string power = p == 0.0 ? "" : p == 1.0 ? " ε" : fmt::format(" ε^{:.3g}", p);
  return fmt::format("{}: K{}", errors.text(row, "quantity"), power);
}

}  // namespace

namespace {

/// A table of parts of series, which live as long as it does; its columns have their roles.
template <class Part>
Table table_of_parts(const char* name, const SharedSeries& all, const Columns<Part>& columns,
                     std::vector<Part> parts, Fields common) {
  const auto rows = std::make_shared<const std::vector<Part>>(std::move(parts));
  const std::shared_ptr<const std::vector<Part>> with_series(
      rows.get(), [rows, all](const std::vector<Part>* /*owned*/) {});
  return table_of<Part>(name, columns, with_series, 0, std::move(common));
}

}  // namespace

Table error_rows(const SharedSeries& all, const SeriesNames& names, RowsOf kind, Fields common) {
  std::vector<Number> numbers;
  for (const Series& s : *all)
    for (const Row& row : s.rows) numbers.push_back({&row, &s});
  return table_of_parts("errors", all, number_columns(names, kind), std::move(numbers),
                        std::move(common))
      .kept(Kept::everywhere);
}

Table series_rows(const SharedSeries& all, const SeriesNames& names, RowsOf kind) {
  std::vector<const Series*> series;
  for (const Series& s : *all)
    if (!s.rows.empty()) series.push_back(&s);
  return table_of_parts("series", all, series_columns(names, kind), std::move(series), {});
}

View error_view(std::string key, std::string caption, RowFilter rows) {
  return {.key = std::move(key),
          .caption = std::move(caption),
          .table = "errors",
          .columns = {"epsilon"},
          .rows = std::move(rows),
          .pivot = Pivot{.across = {"quantity", "norm", "window"},
                         .cells = {{"model_error", "{} error"}, {"order", "order"}},
                         .beside = {{"work.steps"}, {"status", Pivot::Of::each}}}};
}

View ratio_view(std::string key, std::string caption, RowFilter rows) {
  return {
      .key = std::move(key),
      .caption = std::move(caption),
      .table = "errors",
      .columns = {"epsilon"},
      .rows =
          [rows = std::move(rows)](const Table& errors, std::size_t row) {
            return (!rows || rows(errors, row)) &&
                   !std::isnan(errors.number(row, "predicted_order"));
          },
      .pivot = Pivot{.across = {"quantity", "norm", "window"},
                     .cells = {{"predicted_coefficient", "{}"}, {"ratio", "measured/predicted"}},
                     .title = term_text}};
}

namespace {

bool has_expectation(const Table& series, std::size_t row) {
  return !series.value(row, "held").is_nothing() || !series.value(row, "ratio.held").is_nothing();
}

/// A view of "series" with these columns after those that identify one.
View series_view(std::string key, std::string caption, std::vector<ViewColumn> columns,
                 RowFilter rows) {
  const std::vector<ViewColumn> identity{
      "compliant_solver", "rigid_solver", {"", {"quantity"}}, "norm", "window"};
  columns.insert(columns.begin(), identity.begin(), identity.end());
  return {.key = std::move(key),
          .caption = std::move(caption),
          .table = "series",
          .columns = std::move(columns),
          .keys = identity.size(),
          .rows = std::move(rows)};
}

}  // namespace

bool is_shown(const Table& series, std::size_t row) {
  const auto is = [&](const char* column, const char* text) {
    return series.value(row, column) == Value(text);
  };
  const bool of_events = series.find("events") != nullptr && !is("events", "");
  return has_expectation(series, row) || (is("norm", "sup") && !is("window", "away") && !of_events);
}

View order_view() {
  return series_view("orders-fitted", "Fitted orders",
                     {"verdict", "order", "expected_order", "order_limit", "points"}, is_shown);
}

View coefficient_view() {
  return series_view("coefficients", "Coefficients",
                     {"ratio.verdict",
                      "ratio.found",
                      "ratio.expected",
                      "ratio.falls_with",
                      {"smallest ε", {"last_epsilon"}}},
                     [](const Table& series, std::size_t row) {
                       return !series.value(row, "ratio.held").is_nothing();
                     });
}

View expectation_view(const std::vector<Series>& all) {
  const bool expects = std::ranges::any_of(
      all, [](const Series& s) { return !s.rows.empty() && s.expectation.has_value(); });
  View view =
      series_view("orders", "Orders",
                  {"order", "expected_order", "last_ratio", "last_epsilon", "verdict_of_both"},
                  expects ? has_expectation : is_shown);
  view.on_page = false;
  view.in_brief = true;
  return view;
}

namespace {

/// The first series of this quantity, sup norm, all t; nullptr without rows.
const Series* first_series(const std::vector<Series>& all, Quantity quantity) {
  for (const Series& s : all)
    if (!s.rows.empty() && s.rows.front().measure == Measure{.quantity = quantity}) return &s;
  return nullptr;
}

std::string summary_text(const Series* series) {
  if (series == nullptr) return "-";
  const double order = series->judgement.fit.order;
  std::string text = std::isnan(order) ? "-" : fixed_text(order, 3);
  if (series->expectation)
    if (const Expectation expected = series->expectation->expected_order(); expected.order)
      text += fmt::format(" ({}{:.4g})", expected.at_least ? "≥ " : "", *expected.order);
  return text;
}

/// The fitted order of a quantity, with the expected one.
Column order_column(const SharedSeries& all, Quantity quantity) {
  const auto found = [all, quantity] { return first_series(*all, quantity); };
  return {.name = fmt::format("order_{}", name_of(quantity)),
          .header = fmt::format("order {}", symbol_of({.quantity = quantity})),
          .format = "{:.3f}",
          .value =
              [found](std::size_t /*row*/) {
                return found() == nullptr ? Value() : Value(found()->judgement.fit.order);
              },
          .text = [found](std::size_t /*row*/) { return summary_text(found()); },
          .tone =
              [found](std::size_t /*row*/) {
                return found() != nullptr && found()->order_broken() ? Tone::bad : Tone::plain;
              }};
}

/// The ratio of a quantity that is judged, or the last one, with its error bar and its ε.
std::vector<Column> ratio_columns(const SharedSeries& all, Quantity quantity) {
  const auto of = [all, quantity](auto member) {
    return [all, quantity, member](std::size_t /*row*/) {
      const Series* const found = first_series(*all, quantity);
      return found == nullptr || std::isnan(ratio_row(*found).ratio)
                 ? Value()
                 : Value(ratio_row(*found).*member);
    };
  };
  const std::string name = fmt::format("ratio_{}", name_of(quantity));
  return {{.name = name,
           .header = fmt::format("ratio of {}", symbol_of({.quantity = quantity})),
           .format = "{:.5f}",
           .bars = {name + "_error"},
           .value = of(&Row::ratio),
           .text = [all, quantity](std::size_t /*row*/) -> std::string {
             const Series* const found = first_series(*all, quantity);
             return found == nullptr ? "-" : ratio_with_epsilon(ratio_row(*found));
           }},
          {.name = name + "_error", .format = "{:.1e}", .value = of(&Row::ratio_error)}};
}

}  // namespace

Table summary_of(const Result& report, const std::string& system, const SharedSeries& all,
                 const std::vector<Quantity>& quantities) {
  const auto always = [](std::string text) {
    return [text = std::move(text)](std::size_t /*row*/) { return Value(text); };
  };
  std::vector<Column> columns{{.name = "study", .role = Role::key, .value = always(report.name)},
                              {.name = "system", .role = Role::key, .value = always(system)}};
  for (const Quantity quantity : quantities) columns.push_back(order_column(all, quantity));
  std::ranges::move(ratio_columns(all, quantities.front()), std::back_inserter(columns));
  const Cell verdict = word_of(report.conclusion);
  columns.push_back({.name = "verdict",
                     .value = always(verdict.text),
                     .tone = [tone = verdict.tone](std::size_t /*row*/) { return tone; }});
  return Table("summary", std::move(columns), 1).kept(Kept::in_document);
}

}  // namespace rigidlimit
