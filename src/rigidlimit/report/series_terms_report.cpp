#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/report/reports.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/report/columns.hpp"
#include "rigidlimit/report/conclusion.hpp"
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

TextTable term_table(const SeriesTerms& terms) {
  std::vector<std::size_t> orders(terms.orders.size());
  std::iota(orders.begin(), orders.end(), std::size_t{0});
  const auto size = [&terms](TermSizes OrderTerms::*part, double TermSizes::*of) {
    return [=, &terms](std::size_t k) { return terms.orders[k].*part.*of; };
  };
  return text_table<std::size_t>(
      {{"", "k", [](std::size_t k) { return k; }, "{}"},
       {"", "outer q_k", size(&OrderTerms::outer, &TermSizes::q), "{:.3e}"},
       {"", "v_k", size(&OrderTerms::outer, &TermSizes::v), "{:.3e}"},
       {"", "λ_k", size(&OrderTerms::outer, &TermSizes::lambda), "{:.3e}"},
       {"", "layer Q_k", size(&OrderTerms::layer, &TermSizes::q), "{:.3e}"},
       {"", "V_k", size(&OrderTerms::layer, &TermSizes::v), "{:.3e}"},
       {"", "Λ_k", size(&OrderTerms::layer, &TermSizes::lambda), "{:.3e}"},
       {"", "ε <",
        [&terms](std::size_t k) {
          const double largest = terms.largest_epsilon(static_cast<int>(k));
          return std::isinf(largest) ? std::nan("") : largest;
        },
        "{:.2g}"},
       {"", "matching", [&terms](std::size_t k) { return terms.orders[k].matching_defect; },
        "{:.0e}",
        [&terms](std::size_t k) { return matches(terms.orders[k]) ? Tone::plain : Tone::bad; }}},
      orders);
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

/// One value of a term.
struct TermValue {
  const TermCurve* curve = nullptr;
  const char* quantity = "";
  std::string component;
  Index column = 0;
  double value = 0.0;
};

void add_values(std::vector<TermValue>& all, const TermCurve& curve, const char* quantity,
                const std::vector<Component>& components, const MatrixXd& values) {
  for (const Index row : visible_rows(components))
    for (Index column = 0; column < values.cols(); ++column)
      all.push_back({.curve = &curve,
                     .quantity = quantity,
                     .component = components.at(static_cast<std::size_t>(row)).name,
                     .column = column,
                     .value = values(row, column)});
}

/// The conditions of docs/theory.md, section 13, on ε; nothing if the study gives D instead of ζ.
void add_validity(Report& report, const std::optional<double>& damping_ratio, Document& document) {
  if (!damping_ratio) return;
  const double zeta = *damping_ratio;
  document.push_back({"validity.damping_ratio", Value(zeta)});
  document.push_back({"validity.zeta_squared", Value(zeta * zeta)});
  document.push_back({"validity.one_over_zeta", Value(1.0 / zeta)});
  report.remarks.push_back(fmt::format(
      "ζ = {:.4g}: the expansion needs ε ≪ ζ² = {:.4g} and ε ζ ≪ 1, thus ε ≪ 1/ζ = {:.4g}", zeta,
      zeta * zeta, 1.0 / zeta));
}

std::vector<JunitCase> claims_of(const SeriesTerms& terms) {
  std::vector<JunitCase> claims;
  for (std::size_t k = 0; k < terms.orders.size(); ++k) {
    JunitCase& claim = claims.emplace_back();
    claim.name = fmt::format("order {}: layer and outer motion match", k);
    claim.group = "matching";
    claim.state = state_if(matches(terms.orders[k]));
    claim.type = claim.held() ? "held" : "matching";
    claim.message = fmt::format("defect {:.1e}", terms.orders[k].matching_defect);
    claim.reason = claim.message;
  }
  return claims;
}

}  // namespace

namespace {

/// The interval of the outer terms.
std::string interval_text(const RollingStudy& study) {
  const double smallest = study.epsilons.back();
  std::string text = fmt::format("outer terms on [0, {:.6g}] s", study.time.end_at(smallest));
  if (study.time.stretch != 0.0)
    text += fmt::format(": T ε^-{:.3g} at ε = {:.4g}", study.time.stretch, smallest);
  return text;
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
                  contact_text(study.contact, *find_law(study.contact.laws.front())),
                  interval_text(study), "q = Σ ε^k (q_k(t) + Q_k(t/ε)), v and λ likewise"},
      .body = {},
      .remarks = {},
      .claims = claims_of(terms),
      .tables = {term_rows(terms)},
      .resolved = resolved_toml(study)};
  conclude(report);
  report.verdict = fmt::format(
      "{}: order {}, {}", study.name, terms.orders.size() - 1,
      report.held() ? "layer and outer motion match" : "layer and outer motion do not match");
  if (terms.slides) report.remarks.emplace_back("the start slides, so λ begins with a term in 1/ε");
  Document document{{"system.name", Value(study.system->info.name)}};
  add_validity(report, study.contact.damping_ratio, document);
  document.push_back({"terms", report.tables.front()});
  report.document = result_document(report, document);
  report.body.emplace_back(
      CaptionedTable{"terms",
                     "Largest absolute values of the terms. Above the bound on ε the next term is "
                     "larger; matching: "
                     "relative difference of two computations of the order's coefficients",
                     term_table(terms)});
  return report;
}

DataTable curve_rows(const SeriesTerms& terms, const std::vector<TermCurve>& curves) {
  const SystemInfo& info = terms.study.system->info;
  std::vector<TermValue> all;
  for (const TermCurve& curve : curves) {
    add_values(all, curve, "q", info.coordinates, curve.term.q);
    add_values(all, curve, "v", info.velocities, curve.term.v);
    add_values(all, curve, "lambda", info.contacts, curve.term.lambda);
  }
  const Record of_all{{"study", terms.study.name},
                      {"damping_ratio", terms.study.contact.damping_ratio.value_or(std::nan(""))}};
  return data_table("curves", of_all, all, [&terms](const TermValue& one) -> Record {
    const bool known = one.curve != nullptr;
    const int order = known ? one.curve->order : 0;
    const auto at = static_cast<std::size_t>(one.column);
    return {{"quantity", one.quantity},
            {"component", one.component},
            {"order", order},
            {"part", known && one.curve->in_layer ? "layer" : "outer"},
            {"largest_epsilon", order < 0 ? std::nan("") : terms.largest_epsilon(order)},
            {"time", known ? one.curve->term.times.at(at) : 0.0},
            {"value", one.value}};
  });
}

}  // namespace rigidlimit
