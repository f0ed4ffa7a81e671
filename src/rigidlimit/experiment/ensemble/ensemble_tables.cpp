#include "rigidlimit/experiment/ensemble/ensemble_tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "rigidlimit/convergence/bound.hpp"

namespace rigidlimit {
namespace {

template <class Part>
std::shared_ptr<const std::vector<Part>> shared_rows(const SharedEnsemble& result,
                                                     std::vector<Part> EnsembleResult::*rows) {
  return {result, &(*result.*rows)};
}

constexpr std::array quantile_names{"least", "quantile_05", "median", "quantile_95", "largest"};
constexpr std::array quantile_headers{"least", "5 %", "median", "95 %", "largest"};

/// The columns of five quantiles.
template <class Row, class Of>
Columns<Row> quantile_columns(Of of, const char* format) {
  Columns<Row> columns;
  for (std::size_t i = 0; i < quantile_names.size(); ++i)
    columns.push_back({quantile_names[i], quantile_headers[i],
                       [of, i](const Row& row) { return std::invoke(of, row).values[i]; }, format});
  return columns;
}

template <class Row>
Columns<Row> measure_columns(const SeriesNames& names) {
  return {{"quantity", "", [](const Row& row) { return quantity_name(row.measure); }},
          ColumnOf<Row>("window", "", [](const Row& row) {
            return name_of(row.measure.window);
          }).said([names](const Row& row) { return names.window(row.measure.window); })};
}

template <class Row>
void append_columns(Columns<Row>& columns, Columns<Row> more) {
  for (ColumnOf<Row>& one : more) columns.push_back(std::move(one));
}

std::string expected_order_text(const EnsembleOrders& row) {
  const auto& e = row.expectation;
  if (!e) return "";
  if (!e->judges_errors()) return "";
  if (e->convergence != Convergence::of_order)
    return fmt::format("{} within {:g}", name_of(e->convergence), e->within);
  return text_of(e->expected_order());
}

Tone tone_if(bool good) {
  return good ? Tone::good : Tone::bad;
}

Table error_quantiles(const SharedEnsemble& result, const SeriesNames& names) {
  using E = EnsembleErrors;
  Columns<E> columns{{"epsilon", "ε", &E::epsilon, "{:.3e}"}};
  append_columns(columns, measure_columns<E>(names));
  append_columns(columns,
                 {{"members", "", [](const E& e) { return static_cast<long>(e.judged); }}});
  append_columns(columns, quantile_columns<E>(&E::errors, "{:.3e}"));
  append_columns(columns, {{"largest_bar", "largest bar", &E::largest_bar, "{:.0e}"},
                           {"worst_member", "worst member",
                            [](const E& e) { return static_cast<long>(e.worst); }}});
  return table_of("ensemble", columns, shared_rows(result, &EnsembleResult::errors), 3);
}

Table order_quantiles(const SharedEnsemble& result, const SeriesNames& names) {
  using O = EnsembleOrders;
  Columns<O> columns = measure_columns<O>(names);
  append_columns(columns, quantile_columns<O>(&O::orders, "{:.4f}"));
  append_columns(
      columns,
      {{"expected", "", expected_order_text},
       {"members", "", [](const O& o) { return static_cast<long>(o.judged); }},
       ColumnOf<O>("held", "", [](const O& o) { return static_cast<long>(o.held); })
           .toned([](const O& o) { return o.expectation ? tone_if(o.all_held()) : Tone::plain; }),
       {"worst_member", "worst member", [](const O& o) { return static_cast<long>(o.worst); }},
       ColumnOf<O>("reason", "of the worst member", &O::reason).noted()});
  return table_of("ensemble_orders", columns, shared_rows(result, &EnsembleResult::orders), 2);
}

Table bound_lines(const SharedEnsemble& result, const SeriesNames& names) {
  using B = EnsembleBound;
  return table_of(
      "ensemble_bounds",
      {{"quantity", "", [](const B& b) { return quantity_name(b.spec.measure); }},
       ColumnOf<B>("window", "", [](const B& b) { return name_of(b.spec.measure.window); })
           .said([names](const B& b) { return names.window(b.spec.measure.window); }),
       {"of", "",
        [](const B& b) {
          return b.spec.subject == BoundSpec::Subject::solver_error ? "solver_error"
                                                                    : "model_error";
        }},
       {"bound", "", [](const B& b) { return text_of(b.spec.bound); }},
       {"members", "", [](const B& b) { return static_cast<long>(b.judged); }},
       ColumnOf<B>("held", "", [](const B& b) { return static_cast<long>(b.held); })
           .toned([](const B& b) { return tone_if(b.held == b.judged); }),
       {"factor", "largest part of the limit", &B::factor, "{:.4g}"},
       {"worst_member", "worst member", [](const B& b) { return static_cast<long>(b.worst); }},
       ColumnOf<B>("reason", "of the worst member", &B::reason).noted()},
      shared_rows(result, &EnsembleResult::bounds), 4);
}

Table member_rows(const SharedEnsemble& result) {
  using M = EnsembleMember;
  Columns<M> columns{{"member", "", [](const M& m) { return static_cast<long>(m.number); }}};
  for (std::size_t i = 0; i < result->vary.size(); ++i) {
    const VariedNumber& number = result->vary[i];
    const std::string unit = number.unit == "1" ? "" : ", " + number.unit;
    columns.push_back({number.key, number.key + unit, [result, i](const M& m) {
                         return result->numbers(static_cast<Index>(i),
                                                static_cast<Index>(m.number));
                       }});
  }
  columns.push_back({"outcome", "", [](const M& m) { return name_of(m.outcome); }});
  constexpr std::array quantities{"q", "v", "lambda"};
  for (std::size_t i = 0; i < quantities.size(); ++i)
    append_columns(columns, {{fmt::format("{}_error", quantities[i]), "",
                              [i](const M& m) { return m.errors[i]; }, "{:.3e}"},
                             {fmt::format("{}_order", quantities[i]), "",
                              [i](const M& m) { return m.orders[i]; }, "{:.3f}"}});
  columns.push_back({"held", "", &M::held});
  return table_of("members", columns, shared_rows(result, &EnsembleResult::members));
}

/// "member 17 (initial.v.u = 0.63 m/s)".
std::string name_of_member(const EnsembleResult& result, std::size_t member) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < result.vary.size(); ++i)
    texts.push_back(fmt::format("{} = {:.6g}{}", result.vary[i].key,
                                result.numbers(static_cast<Index>(i), static_cast<Index>(member)),
                                result.vary[i].unit == "1" ? "" : " " + result.vary[i].unit));
  return fmt::format("member {} ({})", member, fmt::join(texts, ", "));
}

}  // namespace

std::vector<Table> ensemble_tables(const SharedEnsemble& result, const SeriesNames& names) {
  return {error_quantiles(result, names), order_quantiles(result, names),
          bound_lines(result, names), member_rows(result)};
}

std::vector<View> ensemble_views(const EnsembleResult& result, const SeriesNames& names) {
  std::vector<View> views;
  std::vector<Measure> seen;
  for (const EnsembleErrors& row : result.errors) {
    if (std::ranges::find(seen, row.measure) != seen.end()) continue;
    seen.push_back(row.measure);
    views.push_back({.key = fmt::format("ensemble-{}-{}", quantity_name(row.measure),
                                        name_of(row.measure.window)),
                     .caption = fmt::format("Errors of {} over {} members ({}, sup norm)",
                                            symbol_of(row.measure), result.members.size(),
                                            names.window(row.measure.window)),
                     .table = "ensemble",
                     .columns = {"epsilon", "least", "quantile_05", "median", "quantile_95",
                                 "largest", "largest_bar", "worst_member"},
                     .rows = with_values({{"quantity", quantity_name(row.measure)},
                                          {"window", name_of(row.measure.window)}})});
  }
  views.push_back({.key = "ensemble_orders",
                   .caption = fmt::format("Orders over {} members", result.members.size()),
                   .table = "ensemble_orders",
                   .columns = {"quantity", "window", "least", "quantile_05", "median",
                               "quantile_95", "largest", "expected", "held", "worst_member"},
                   .keys = 2,
                   .in_brief = true});
  views.push_back(
      {.key = "ensemble_bounds",
       .caption = fmt::format("Bounds over {} members", result.members.size()),
       .table = "ensemble_bounds",
       .columns = {"quantity", "window", "of", "bound", "held", "factor", "worst_member"},
       .keys = 4});
  return views;
}

std::vector<JudgedClaim> claims_of(const EnsembleResult& result, const SeriesNames& names) {
  std::vector<JudgedClaim> claims;
  const auto add = [&](const std::string& name, const char* type, std::size_t held,
                       std::size_t judged, std::size_t worst, const std::string& reason) {
    const std::string found = fmt::format(
        "{} of {} members{}", held, judged,
        held == judged ? std::string()
                       : fmt::format("; {}: {}", name_of_member(result, worst), reason));
    claims.push_back({.name = name,
                      .group = "claims on members",
                      .state = state_if(held == judged),
                      .type = type,
                      .message = fmt::format("{}: {}", name, found),
                      .reason = found,
                      .advice = "Run the member as a study: give its numbers in the file."});
  };
  for (const EnsembleOrders& row : result.orders)
    if (row.expectation)
      add(fmt::format("{} sup {} of every member, {}", symbol_of(row.measure),
                      names.window(row.measure.window), expected_order_text(row)),
          "ensemble_order", row.held, row.judged, row.worst, row.reason);
  for (const EnsembleBound& row : result.bounds)
    add(fmt::format("bound {} sup {} ≤ {} of every member", symbol_of(row.spec.measure),
                    names.window(row.spec.measure.window), text_of(row.spec.bound)),
        "ensemble_bound", row.held, row.judged, row.worst, row.reason);
  if (const std::size_t failed = result.failed(); failed > 0) {
    const auto worst = std::ranges::find_if(
        result.members, [](const EnsembleMember& m) { return m.outcome != Outcome::success; });
    add("motions of every member", "ensemble_failure", result.members.size() - failed,
        result.members.size(), worst->number, name_of(worst->outcome));
  }
  const EnsembleCheck& check = result.check;
  const std::string found =
      check.compared == 0
          ? std::string("the study has no number to compare")
          : fmt::format("{} numbers, the largest difference is {:.2g} of both error bars ({})",
                        check.compared, check.largest, check.where);
  claims.push_back({.name = "member 0 is the motion of the study",
                    .group = "claims on members",
                    .state = state_if(check.agrees()),
                    .type = "ensemble_check",
                    .message = "member 0 is the motion of the study: " + found,
                    .reason = found,
                    .advice = "Members are solved side by side by radau_iia in adapted variables: "
                              "tighten solvers.rtol and rigid_rtol."});
  return claims;
}

std::string ensemble_remark(const EnsembleResult& result) {
  const auto held = std::ranges::count_if(result.members, &EnsembleMember::held);
  return fmt::format(
      "ensemble: every claim holds for {} of {} members; member 0, solved side by side with "
      "others, "
      "differs from the study by at most {:.2g} of both error bars",
      held, result.members.size(), result.check.largest);
}

}  // namespace rigidlimit
