#include "rigidlimit/experiment/rolling/series_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/contact_data.hpp"
#include "rigidlimit/experiment/rolling/piecewise.hpp"
#include "rigidlimit/experiment/rolling/quad_side.hpp"

namespace rigidlimit {

TermSizes OrderTerms::whole() const {
  return {.q = outer.q + layer.q, .v = outer.v + layer.v, .lambda = outer.lambda + layer.lambda};
}

double SeriesTerms::largest_epsilon(int k) const {
  double largest = std::numeric_limits<double>::infinity();
  if (k + 1 >= static_cast<int>(orders.size())) return largest;
  const TermSizes here = orders[static_cast<std::size_t>(k)].whole(),
                  next = orders[static_cast<std::size_t>(k) + 1].whole();
  for (const auto size : {&TermSizes::q, &TermSizes::v, &TermSizes::lambda})
    // A term that vanishes identically, such as q_1, is round-off here.
    if (here.*size > 1e-10 * next.*size && next.*size > 0.0)
      largest = std::min(largest, here.*size / next.*size);
  return largest;
}

namespace {

template <class T>
InitialStateOf<T> start_of(const RollingStudy& study) {
  if constexpr (std::is_same_v<T, Quad>)
    return compliant_start_in_quad(study);
  else
    return study.initial;
}

std::variant<SeriesExpansion<double>, SeriesExpansion<Quad>> series_in_precision(
    const RollingStudy& study, int order, const std::vector<SwitchCrossing>& crossings) {
  if (study.solvers.precision == Precision::binary128)
    return series_of<Quad>(study, order, crossings);
  return series_of<double>(study, order, crossings);
}

}  // namespace

template <class T>
SeriesExpansion<T> series_of(const RollingStudy& study, int order,
                             const std::vector<SwitchCrossing>& crossings) {
  if (order < 0 || order > highest_order)
    throw InputError(fmt::format("must be 0 to {}, not {}", highest_order, order), "order");
  const LawInfo& info = *find_law(study.contact.laws.front());
  if (!info.has_spring())
    throw InputError(
        fmt::format("the law {} has no expansion of any order; viscoelastic has one", info.name),
        study.name);
  const InitialStateOf<T> start = start_of<T>(study);
  const bool smooth = crossings.empty();
  return {smooth ? system_at_start(study.model, study.initial) : study.model,
          start,
          law_of(study, info),
          initial_deflection(study),
          order,
          study.time.end_at(study.epsilons.back()),
          crossings};
}

template SeriesExpansion<double> series_of(const RollingStudy&, int,
                                           const std::vector<SwitchCrossing>&);
template SeriesExpansion<Quad> series_of(const RollingStudy&, int,
                                         const std::vector<SwitchCrossing>&);

int remainder_order(const RollingStudy& study, Quantity quantity) {
  const int order = *study.composite_order;
  const bool vanishes = order == 0 && quantity == Quantity::q &&
                        study.contact.damping_exponent == 1.0 &&
                        is_consistent(study.model, study.initial);
  return (order + (vanishes ? 2 : 1)) * power_of_epsilon(law_of(study));
}

StudySeries::StudySeries(const RollingStudy& study, const std::vector<SwitchCrossing>& crossings)
    : law_(law_of(study)),
      order_(*study.composite_order),
      order_of_q_(remainder_order(study, Quantity::q) / power_of_epsilon(law_)),
      series_(series_in_precision(study, order_of_q_, crossings)) {}

PreciseMotion StudySeries::deviation(double epsilon, const std::vector<double>& times) const {
  const double mu = small_parameter(law_, epsilon);
  const auto of = [&](const auto& series) {
    return PreciseMotion(series.deviation(mu, times, order_));
  };
  return std::visit(of, series_);
}

Motion StudySeries::remainder(double epsilon, const std::vector<double>& times) const {
  const double mu = small_parameter(law_, epsilon);
  const auto of = [&](const auto& series) {
    Motion leading = PreciseMotion(series.term(mu, times, order_ + 1)).rounded;
    if (order_of_q_ != order_ + 1)
      leading.q = PreciseMotion(series.term(mu, times, order_of_q_)).rounded.q;
    return leading;
  };
  return std::visit(of, series_);
}

TermSizes StudySeries::rounding(double epsilon) const {
  const double mu = small_parameter(law_, epsilon);
  return std::visit([&](const auto& series) { return series.rounding(mu); }, series_);
}

SeriesTerms series_terms(const RollingStudy& study, const SeriesExpansion<double>& expansion) {
  SeriesTerms terms{.study = study, .orders = {}, .slides = expansion.slides()};
  for (int k = 0; k <= expansion.order(); ++k)
    terms.orders.push_back({.outer = expansion.outer_size(k),
                            .layer = expansion.layer_size(k),
                            .matching_defect = expansion.matching_defect(k)});
  return terms;
}

}  // namespace rigidlimit
