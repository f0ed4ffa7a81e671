#include "rigidlimit/experiment/pair/predicted_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/quad_side.hpp"
#include "rigidlimit/formulations/piecewise.hpp"

namespace rigidlimit {

namespace {

bool is_viscous(const LawInfo& law) {
  return law.realisation == Realisation::viscous;
}

std::unique_ptr<LeadingTerms> leading_terms(const RollingStudy& study, const LawInfo& law,
                                            const std::vector<SwitchCrossing>& crossings,
                                            const std::function<bool()>& stop_requested) {
  if (!can_be_predicted(law))
    throw InputError(fmt::format(
        "the law {} has no predicted constants; viscoelastic, elastic and viscous have them",
        law.name));
  // The projection changes a start that rolls by its rounding.
  const InitialState state =
      is_consistent(study.model, study.initial) ? rigid_start(study) : study.initial;
  CompliantStart start{
      .system = crossings.empty() ? system_at_start(study.model, state) : study.model,
      .state = state,
      .law = law_of(study, law),
      .eta0 = initial_deflection(study),
      .end = study.time.end_at(study.epsilons.back()),
      .crossings = crossings,
      .shift = law.has_spring() ? start_shift(study, state) : StartShift{},
      .stop_requested = stop_requested};
  return is_viscous(law) ? leading_terms_of_viscous_law(std::move(start)) : leading_terms(start);
}

}  // namespace

bool can_be_predicted(const LawInfo& law) {
  return law.has_spring() || is_viscous(law);
}

PredictedTerms predicted_terms(const RollingStudy& study, const LawInfo& law,
                               const std::vector<SwitchCrossing>& crossings,
                               const std::function<bool()>& stop_requested) {
  try {
    return {.terms = leading_terms(study, law, crossings, stop_requested), .reason = {}};
  } catch (const InputError& error) {
    return {.terms = nullptr, .reason = error.what()};
  }
}

TermSizes OrderTerms::whole() const {
  TermSizes sum;
  TermSizes::each([&](double TermSizes::*size) { sum.*size = outer.*size + layer.*size; });
  return sum;
}

double SeriesTerms::largest_epsilon(int k) const {
  double largest = std::numeric_limits<double>::infinity();
  if (k + 1 >= static_cast<int>(orders.size())) return largest;
  const TermSizes here = orders[static_cast<std::size_t>(k)].whole(),
                  next = orders[static_cast<std::size_t>(k) + 1].whole();
  TermSizes::each([&](double TermSizes::*size) {
    // A term that vanishes identically, such as q_1, is round-off here.
    if (here.*size > 1e-10 * natural_parameter * next.*size && next.*size > 0.0)
      largest = std::min(largest, here.*size / next.*size);
  });
  return largest;
}

namespace {

constexpr double every_layer = std::numeric_limits<double>::lowest();

template <class T>
InitialStateOf<T> start_of(const RollingStudy& study) {
  if constexpr (std::is_same_v<T, Quad>)
    return compliant_start_in_quad(study);
  else
    return study.initial;
}

std::variant<SeriesExpansion<double>, SeriesExpansion<Quad>> series_in_precision(
    const RollingStudy& study, int order, const std::vector<SwitchCrossing>& crossings,
    const std::function<bool()>& stop_requested) {
  if (study.solvers.precision == Precision::binary128)
    return series_of<Quad>(study, order, crossings, stop_requested);
  return series_of<double>(study, order, crossings, stop_requested);
}

}  // namespace

template <class T>
SeriesExpansion<T> series_of(const RollingStudy& study, int order,
                             const std::vector<SwitchCrossing>& crossings,
                             const std::function<bool()>& stop_requested) {
  if (order < 0 || order > highest_order)
    throw InputError(fmt::format("must be 0 to {}, not {}", highest_order, order), "order");
  const LawInfo& info = *find_law(study.contact.laws.front());
  if (!info.has_spring())
    throw InputError(
        fmt::format("the law {} has no expansion of any order; viscoelastic has one", info.name),
        study.name);
  if (moves_start(study))
    throw InputError("the expansion of every order needs a start that does not move with epsilon",
                     study.name);
  const InitialStateOf<T> start = start_of<T>(study);
  const bool smooth = crossings.empty();
  return {smooth ? system_at_start(study.model, study.initial) : study.model,
          start,
          law_of(study, info),
          initial_deflection(study),
          order,
          study.time.end_at(study.epsilons.back()),
          crossings,
          stop_requested};
}

template SeriesExpansion<double> series_of(const RollingStudy&, int,
                                           const std::vector<SwitchCrossing>&,
                                           const std::function<bool()>&);
template SeriesExpansion<Quad> series_of(const RollingStudy&, int,
                                         const std::vector<SwitchCrossing>&,
                                         const std::function<bool()>&);

StudySeries::StudySeries(const RollingStudy& study, const std::vector<SwitchCrossing>& crossings,
                         const std::function<bool()>& stop_requested)
    : law_(law_of(study)),
      order_(*study.composite_order),
      series_(series_in_precision(study, order_ + 1, crossings, stop_requested)) {
  const auto lacks_term = [&](double from) {
    const LeadingOrders orders = first_terms(from).sup();
    return std::isnan(orders.q + orders.v + orders.lambda) ||
           (study.model.np > 0 && std::isnan(orders.gap));
  };
  if ((lacks_term(every_layer) || lacks_term(study.after)) && order_ + 2 <= highest_order)
    series_ = series_in_precision(study, order_ + 2, crossings, stop_requested);
}

PreciseMotion StudySeries::deviation(double epsilon, const std::vector<double>& times) const {
  const double mu = small_parameter(law_, epsilon);
  const auto of = [&](const auto& series) {
    return PreciseMotion(series.deviation(mu, times, order_));
  };
  return std::visit(of, series_);
}

FirstTerms StudySeries::first_terms(double from) const {
  return std::visit([&](const auto& series) { return FirstTerms(series, order_ + 1, from); },
                    series_);
}

LeadingOrders StudySeries::in_epsilon(const LeadingOrders& orders) const {
  return orders.times(power_of_epsilon(law_));
}

LeadingOrders StudySeries::sup_orders(double from) const {
  return in_epsilon(first_terms(from).sup());
}
LeadingOrders StudySeries::l2_orders(double from) const {
  return in_epsilon(first_terms(from).l2());
}

Motion StudySeries::remainder(double epsilon, const std::vector<double>& times, double from) const {
  const double mu = small_parameter(law_, epsilon);
  const LeadingOrders orders = first_terms(from).sup();
  const auto of = [&](const auto& series) {
    const auto term = [&](double order) {
      const int k = std::isnan(order) ? series.order() : static_cast<int>(order);
      return PreciseMotion(series.term(mu, times, k, from)).rounded;
    };
    Motion leading = term(orders.q);
    if (orders.v != orders.q) leading.v = term(orders.v).v;
    if (orders.lambda != orders.q) leading.lambda = term(orders.lambda).lambda;
    if (leading.gap.size() > 0) leading.gap = term(orders.gap).gap;
    return leading;
  };
  return std::visit(of, series_);
}

TermSizes StudySeries::rounding(double epsilon) const {
  const double mu = small_parameter(law_, epsilon);
  return std::visit([&](const auto& series) { return series.rounding(mu); }, series_);
}

SeriesTerms series_terms(const RollingStudy& study, const SeriesExpansion<double>& expansion) {
  SeriesTerms terms{.study = study,
                    .orders = {},
                    .slides = expansion.slides(),
                    .natural_parameter = expansion.natural_parameter()};
  for (int k = 0; k <= expansion.order(); ++k)
    terms.orders.push_back({.outer = expansion.outer_size(k),
                            .layer = expansion.layer_size(k),
                            .matching_defect = expansion.matching_defect(k)});
  return terms;
}

namespace {

/// `term(t)` = (q, v, λ, …) and `gap(t)` at these times.
TermCurve curve(const System& system, int k, bool in_layer, std::vector<double> times,
                const auto& term, const auto& gap) {
  const auto count = std::ssize(times);
  Motion motion{.times = std::move(times),
                .q = MatrixXd(system.nq, count),
                .v = MatrixXd(system.n, count),
                .lambda = MatrixXd(system.m, count),
                .gap = MatrixXd(system.np, count)};
  for (Index i = 0; i < count; ++i) {
    const VectorXd x = term(motion.times[static_cast<std::size_t>(i)]);
    motion.q.col(i) = x.head(system.nq);
    motion.v.col(i) = x.segment(system.nq, system.n);
    motion.lambda.col(i) = x.segment(system.nq + system.n, system.m);
    motion.gap.col(i) = gap(motion.times[static_cast<std::size_t>(i)]);
  }
  return {.order = k, .in_layer = in_layer, .term = std::move(motion)};
}

}  // namespace

std::vector<TermCurve> term_curves(const System& system, const SeriesExpansion<double>& expansion,
                                   const TimeGrid& grid) {
  std::vector<TermCurve> curves;
  for (int k = expansion.slides() ? -1 : 0; k <= expansion.order(); ++k) {
    if (k >= 0)
      curves.push_back(curve(
          system, k, false, uniform_grid(grid.end, grid.samples),
          [&](double t) { return expansion.outer(t, k); },
          [&](double t) { return expansion.outer_gap(t, k); }));
    curves.push_back(curve(
        system, k, true, uniform_grid(grid.layer_width, grid.layer_samples),
        [&](double tau) { return expansion.layer(tau, k); },
        [&](double tau) { return expansion.layer_gap(tau, k); }));
  }
  return curves;
}

}  // namespace rigidlimit
