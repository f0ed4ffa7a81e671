#include "rigidlimit/experiment/judge/difference.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rigidlimit {

namespace {

/// The difference of two solves between their steps is not smooth: its samples are compared.
double size_of_samples(const Motion& difference, const Measure& measure, const Windows& windows) {
  return difference.times.empty() ? std::nan("") : magnitude(difference, measure, windows);
}

}  // namespace

Rounding rounding_of(const PreciseMotion& a, const PreciseMotion& b) {
  // A 113-bit value is stored as two doubles: 106 bits.
  const bool precise = !a.rest.times.empty() && !b.rest.times.empty();
  const double ulps = precise ? std::ldexp(4.0, -105) : std::ldexp(4.0, -52);
  const auto of = [&](Quantity quantity) {
    double largest = 0.0;
    for (const PreciseMotion* one : {&a, &b})
      if (const MatrixXd& values = values_of(one->rounded, quantity); values.size() > 0)
        largest = std::max(largest, values.cwiseAbs().maxCoeff<Eigen::PropagateNumbers>());
    return ulps * largest;
  };
  return {of(Quantity::q), of(Quantity::v), of(Quantity::lambda)};
}

ErrorMeasures::ErrorMeasures(Differences differences, Windows windows, double share)
    : windows_(std::move(windows)),
      model_(std::exchange(differences.model, {}), windows_),
      rest_(std::move(differences)),
      share_(share) {}

ErrorSizes ErrorMeasures::sizes(const Measure& measure) const {
  const auto& [q, v, lambda] = rest_.rounding;
  const CurveSize model = model_.size(measure);
  ErrorSizes sizes{.model = model.value,
                   .solver = size_of_samples(rest_.solver, measure, windows_) / share_,
                   .reference = size_of_samples(rest_.reference, measure, windows_),
                   .sampling = model.sampling_error,
                   .rounding = measure.quantity == Quantity::q   ? q
                               : measure.quantity == Quantity::v ? v
                                                                 : lambda};
  // l1 and l2 sum over components.
  if (measure.norm != Norm::sup)
    sizes.rounding *= static_cast<double>(values_of(model_.difference(), measure.quantity).rows());
  return sizes;
}

}  // namespace rigidlimit
