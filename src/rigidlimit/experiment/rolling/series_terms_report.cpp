#include "rigidlimit/core/visible_components.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>

#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/predicted_terms.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/experiment/spec/system_tables.hpp"
#include "rigidlimit/result/conclusion.hpp"

namespace rigidlimit {
namespace {

/// Two computations of a coefficient agree to this part of the largest one of its order. Observed:
/// 1e-15 to 1e-10.
constexpr double matching = 1e-6;

bool matches(const OrderTerms& terms) {
  return terms.matching_defect <= matching;  // false for NaN
}

bool has_gap(const SeriesTerms& terms) {
  return terms.study.model.np > 0;
}

using SharedTerms = std::shared_ptr<const SeriesTerms>;

/// "terms": largest absolute values of the terms of an order, outer or in the layer.
Table term_rows(const SharedTerms& terms) {
  struct Part {
    std::size_t order;
    bool layer;
  };
  using C = ColumnOf<Part>;
  std::vector<Part> parts;
  for (std::size_t k = 0; k < terms->orders.size(); ++k)
    for (const bool layer : {false, true}) parts.push_back({k, layer});
  const auto size = [terms](double TermSizes::*of) {
    return [=](const Part& part) {
      const OrderTerms& order = terms->orders.at(part.order);
      return (part.layer ? order.layer : order.outer).*of;
    };
  };
  Columns<Part> columns{
      C("order", "k", &Part::order, "{}"),
      C("part", "", [](const Part& part) { return part.layer ? "layer" : "outer"; }),
      C("q", "q", size(&TermSizes::q), "{:.3e}"), C("v", "v", size(&TermSizes::v), "{:.3e}"),
      C("lambda", "λ", size(&TermSizes::lambda), "{:.3e}")};
  if (has_gap(*terms)) columns.push_back(C("gap", "gap", size(&TermSizes::gap), "{:.3e}"));
  columns.push_back(C(
                        "largest_epsilon", "ε <",
                        [terms](const Part& part) {
                          return terms->largest_epsilon(static_cast<int>(part.order));
                        },
                        "{:.2g}")
                        .said([terms](const Part& part) {
                          const double largest =
                              terms->largest_epsilon(static_cast<int>(part.order));
                          return std::isinf(largest) ? "-" : fmt::format("{:.2g}", largest);
                        }));
  columns.push_back(
      C(
          "matching_defect", "matching",
          [terms](const Part& part) { return terms->orders.at(part.order).matching_defect; },
          "{:.0e}")
          .toned([terms](const Part& part) {
            return matches(terms->orders.at(part.order)) ? Tone::plain : Tone::bad;
          }));
  return table_of<Part>("terms", columns, std::move(parts), 2, {{"study", terms->study.name}})
      .kept(Kept::everywhere);
}

View term_view(const SeriesTerms& terms) {
  View view{.key = "terms",
            .caption =
                "Largest absolute values of the terms. Above the bound on ε the next term is "
                "larger; matching: relative difference of two computations of the order's "
                "coefficients",
            .table = "terms",
            .columns = {"order"},
            .pivot = Pivot{.across = {"part"},
                           .cells = {{"q", "{} q"}, {"v", "{} v"}, {"lambda", "{} λ"}},
                           .beside = {{"largest_epsilon"}, {"matching_defect"}}}};
  if (has_gap(terms)) view.pivot->cells.push_back({"gap", "{} gap"});
  return view;
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
void add_validity(Result& report, const std::optional<double>& damping_ratio) {
  if (!damping_ratio) return;
  const double zeta = *damping_ratio;
  report.facts.push_back({"validity.damping_ratio", zeta});
  report.facts.push_back({"validity.zeta_squared", zeta * zeta});
  report.facts.push_back({"validity.one_over_zeta", 1.0 / zeta});
  report.remarks.push_back(fmt::format(
      "ζ = {:.4g}: the expansion needs ε ≪ ζ² = {:.4g} and ε ζ ≪ 1, thus ε ≪ 1/ζ = {:.4g}", zeta,
      zeta * zeta, 1.0 / zeta));
}

std::vector<JudgedClaim> expansion_claims(const SeriesTerms& terms) {
  std::vector<JudgedClaim> claims;
  for (std::size_t k = 0; k < terms.orders.size(); ++k) {
    JudgedClaim& claim = claims.emplace_back();
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
std::string interval_of_terms(const RollingStudy& study) {
  const double smallest = study.epsilons.back();
  std::string text = fmt::format("outer terms on [0, {:.6g}] s", study.time.end_at(smallest));
  if (study.time.stretch != 0.0)
    text += fmt::format(": T ε^-{:.3g} at ε = {:.4g}", study.time.stretch, smallest);
  return text;
}

}  // namespace

Result in_tables(SeriesTerms found) {
  const auto kept = std::make_shared<const SeriesTerms>(std::move(found));
  const SeriesTerms& terms = *kept;
  const RollingStudy& study = terms.study;
  Result report{
      .name = study.name,
      .kind = "expansion",
      .question = "How large are the terms of the expansion in ε?",
      .source = study.source,
      .heading = {fmt::format("{}: {}", study.system->info.name,
                              parameters_text(study.system->parameters, study.parameters)),
                  contact_text(study.contact, *find_law(study.contact.laws.front())),
                  interval_of_terms(study),
                  terms.study.model.np > 0 ? "q = Σ ε^k (q_k(t) + Q_k(t/ε)), v, λ and gap likewise"
                                           : "q = Σ ε^k (q_k(t) + Q_k(t/ε)), v and λ likewise"},
      .facts = {{"system.name", study.system->info.name}},
      .tables = {term_rows(kept)},
      .views = {term_view(terms)},
      .claims = expansion_claims(terms),
      .resolved = resolved_toml(study)};
  conclude(report);
  report.verdict = fmt::format(
      "{}: order {}, {}", study.name, terms.orders.size() - 1,
      report.held() ? "layer and outer motion match" : "layer and outer motion do not match");
  if (terms.slides) report.remarks.emplace_back("the start slides, so λ begins with a term in 1/ε");
  add_validity(report, study.contact.damping_ratio);
  return report;
}

Table curve_rows(const SeriesTerms& terms, std::vector<TermCurve> found) {
  using T = TermValue;
  using C = ColumnOf<T>;
  const SystemInfo& info = terms.study.system->info;
  const auto curves = std::make_shared<const std::vector<TermCurve>>(std::move(found));
  std::vector<double> largest;  // ε of order 0, 1, …
  for (std::size_t k = 0; k < terms.orders.size(); ++k)
    largest.push_back(terms.largest_epsilon(static_cast<int>(k)));
  std::vector<T> all;
  for (const TermCurve& curve : *curves) {
    add_values(all, curve, "q", info.coordinates, curve.term.q);
    add_values(all, curve, "v", info.velocities, curve.term.v);
    add_values(all, curve, "lambda", info.contacts, curve.term.lambda);
    add_values(all, curve, "gap", info.positions, curve.term.gap);
  }
  return table_of<T>(
      "curves",
      {C("quantity", "", &T::quantity), C("component", "", &T::component),
       C("order", "", [](const T& one) { return one.curve->order; }),
       C("part", "", [](const T& one) { return one.curve->in_layer ? "layer" : "outer"; }),
       C("largest_epsilon", "",
         [largest](const T& one) {
           return one.curve->order < 0 ? std::nan("")
                                       : largest.at(static_cast<std::size_t>(one.curve->order));
         }),
       // The table holds the curves.
       C("time", "t [s]",
         [curves](const T& one) {
           return one.curve->term.times.at(static_cast<std::size_t>(one.column));
         }),
       C("value", "", &T::value)},
      std::move(all), 6,
      {{"study", terms.study.name},
       {"damping_ratio", terms.study.contact.damping_ratio.value_or(std::nan(""))}});
}

}  // namespace rigidlimit
