#include "rigidlimit/asymptotics/first_terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigidlimit {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

}  // namespace

template <class T>
FirstTerms::FirstTerms(const SeriesExpansion<T>& series, int first, double from) {
  constexpr double rounding = 1e-10;
  outer_.fill(none);
  layer_.fill(none);
  std::array<double, 4> largest{};
  const auto scaled = [&](const TermSizes& size, int k) {
    const double power = std::pow(series.natural_parameter(), k);
    return std::array{power * size.q, power * size.v, power * size.lambda, power * size.gap};
  };
  std::vector<std::array<double, 4>> outer, layer;  // at k + 1
  for (int k = -1; k <= series.order(); ++k) {
    outer.push_back(scaled(k < 0 ? TermSizes{} : series.outer_size(k, from), k));
    layer.push_back(scaled(series.layer_size(k, from), k));
    for (std::size_t i = 0; i < largest.size(); ++i)
      largest[i] = std::max({largest[i], outer.back()[i], layer.back()[i]});
  }
  for (int k = series.order(); k >= first; --k)
    for (std::size_t i = 0; i < largest.size(); ++i) {
      const std::size_t at = static_cast<std::size_t>(k) + 1;
      // The outer term of order 0 is the rigid motion.
      if (k > 0 && outer[at][i] > rounding * largest[i]) outer_[i] = k;
      if (layer[at][i] > rounding * largest[i]) layer_[i] = k;
    }
}

template FirstTerms::FirstTerms(const SeriesExpansion<double>&, int, double);
template FirstTerms::FirstTerms(const SeriesExpansion<Quad>&, int, double);

LeadingOrders FirstTerms::orders(double gain_of_layer) const {
  const auto of = [&](std::size_t i) {
    const double order = std::min(outer_[i], layer_[i] + gain_of_layer);
    return order == none ? std::nan("") : order;
  };
  return {.q = of(0), .v = of(1), .lambda = of(2), .gap = of(3)};
}

}  // namespace rigidlimit
