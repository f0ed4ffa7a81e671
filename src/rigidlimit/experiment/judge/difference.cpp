#include "rigidlimit/experiment/judge/difference.hpp"

#include <algorithm>
#include <cmath>

namespace rigidlimit {

double size_of(const Motion& difference, const Measure& measure, const Windows& windows) {
  return difference.times.empty() ? std::nan("") : magnitude(difference, measure, windows);
}

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

ErrorSizes error_sizes(const Differences& differences, const Measure& measure,
                       const Windows& windows, double share) {
  // An estimate between the steps of a solver is not smooth in time.
  Windows as_sampled = windows;
  as_sampled.locate_peaks = false;
  const auto& [q, v, lambda] = differences.rounding;
  ErrorSizes sizes{.model = size_of(differences.model, measure, windows),
                   .solver = size_of(differences.solver, measure, as_sampled) / share,
                   .reference = size_of(differences.reference, measure, as_sampled),
                   .rounding = measure.quantity == Quantity::q   ? q
                               : measure.quantity == Quantity::v ? v
                                                                 : lambda};
  // l1 and l2 sum over components.
  if (measure.norm != Norm::sup)
    sizes.rounding *= static_cast<double>(values_of(differences.model, measure.quantity).rows());
  if (!differences.model.times.empty())
    sizes.sampling = sampling_error(differences.model, measure, windows, sizes.model);
  return sizes;
}

}  // namespace rigidlimit
