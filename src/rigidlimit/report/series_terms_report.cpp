#include "rigidlimit/report/series_terms_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/report/reports.hpp"
#include "rigidlimit/report/result_document.hpp"
#include "rigidlimit/report/rolling_tables.hpp"

namespace rigidlimit {
namespace {

/// Two computations of a coefficient agree to this part of the largest one of its order. Observed:
/// 1e-15 to 1e-10.
constexpr double matching = 1e-6;

bool matches(const OrderTerms& terms) {
  return terms.matching_defect <= matching;  // false for NaN
}

std::string number(double x) {
  return fmt::format("{:.3e}", x);
}

TextTable term_table(const SeriesTerms& terms) {
  TextTable table{
      .headers = {"k", "outer q_k", "v_k", "λ_k", "layer Q_k", "V_k", "Λ_k", "ε <", "matching"},
      .left_aligned = std::vector<bool>(9, false),
      .rows = {},
      .keys = 1};
  for (std::size_t k = 0; k < terms.orders.size(); ++k) {
    const auto& [outer, layer, defect] = terms.orders[k];
    const double largest = terms.largest_epsilon(static_cast<int>(k));
    table.rows.push_back(
        {{fmt::format("{}", k)},
         {number(outer.q)},
         {number(outer.v)},
         {number(outer.lambda)},
         {number(layer.q)},
         {number(layer.v)},
         {number(layer.lambda)},
         {std::isinf(largest) ? "-" : fmt::format("{:.2g}", largest)},
         {fmt::format("{:.0e}", defect), matches(terms.orders[k]) ? Tone::plain : Tone::bad}});
  }
  return table;
}

DataTable term_rows(const SeriesTerms& terms) {
  struct One {
    std::size_t k;
    bool layer;
  };
  std::vector<One> all;
  for (std::size_t k = 0; k < terms.orders.size(); ++k)
    for (const bool layer : {false, true}) all.push_back({k, layer});
  return data_table("terms", {{"study", terms.study.name}}, all, [&](const One& one) -> Record {
    const OrderTerms& order = terms.orders.at(one.k);
    const TermSizes& size = one.layer ? order.layer : order.outer;
    return {{"order", static_cast<long>(one.k)},
            {"part", one.layer ? "layer" : "outer"},
            {"q", size.q},
            {"v", size.v},
            {"lambda", size.lambda},
            {"largest_epsilon", terms.largest_epsilon(static_cast<int>(one.k))},
            {"matching_defect", order.matching_defect}};
  });
}

std::vector<JunitCase> claims_of(const SeriesTerms& terms) {
  std::vector<JunitCase> claims;
  for (std::size_t k = 0; k < terms.orders.size(); ++k) {
    JunitCase& claim = claims.emplace_back();
    claim.name = fmt::format("order {}: layer and outer motion match", k);
    claim.group = "matching";
    claim.failed = !matches(terms.orders[k]);
    claim.type = claim.failed ? "matching" : "held";
    claim.message = fmt::format("defect {:.1e}", terms.orders[k].matching_defect);
    claim.reason = claim.message;
  }
  return claims;
}

}  // namespace

Report report_of(const SeriesTerms& terms) {
  const RollingStudy& study = terms.study;
  Report report{
      .name = study.name,
      .kind = "expansion",
      .question = "How large are the terms of the expansion in ε?",
      .source = study.source,
      .heading = {fmt::format("{}: {}", study.system->info.name,
                              parameters_text(study.system->parameters, study.parameters)),
                  "q = Σ ε^k (q_k(t) + Q_k(t/ε)), v and λ likewise"},
      .body = {},
      .remarks = {},
      .claims = claims_of(terms),
      .tables = {term_rows(terms)},
      .resolved = resolved_toml(study)};
  for (const JunitCase& claim : report.claims) report.held = report.held && !claim.failed;
  report.verdict = fmt::format(
      "{}: order {}, {}", study.name, terms.orders.size() - 1,
      report.held ? "layer and outer motion match" : "layer and outer motion do not match");
  if (terms.slides) report.remarks.emplace_back("the start slides, so λ begins with a term in 1/ε");
  report.document = result_document(
      report, {{"system.name", Value(study.system->info.name)}, {"terms", report.tables.front()}});
  report.body.emplace_back(
      CaptionedTable{"terms",
                     "Largest absolute values of the terms. Above the bound on ε the next term is "
                     "larger; matching: "
                     "relative difference of two computations of the order's coefficients",
                     term_table(terms)});
  return report;
}

}  // namespace rigidlimit
