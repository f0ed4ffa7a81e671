#include "rigidlimit/core/interpolation.hpp"

#include <algorithm>
#include <stdexcept>

namespace rigidlimit {

namespace {

/// Lagrange's basis at t on `count` nodes from x on.
void add_weights(const double* x, Index count, double t, std::vector<double>& weights) {
  for (Index j = 0; j < count; ++j) {
    double weight = 1.0;
    for (Index i = 0; i < count; ++i)
      if (i != j) weight *= (t - x[i]) / (x[j] - x[i]);
    weights.push_back(weight);
  }
}

}  // namespace

Interpolation::Interpolation(const std::vector<double>& nodes, const std::vector<double>& times)
    : points_(static_cast<Index>(std::min(points, nodes.size()))) {
  places_.reserve(times.size());
  auto at = nodes.begin();
  for (const double t : times) {
    at = std::lower_bound(at, nodes.end(), t);
    if (at == nodes.end() || (at == nodes.begin() && *at != t))
      throw std::logic_error("a time is outside the samples");
    const Index next = at - nodes.begin();
    if (*at == t) {
      places_.push_back({next, -1});
      continue;
    }
    const Index last_first = static_cast<Index>(nodes.size()) - points_;
    const Index first = std::clamp<Index>(next - points_ / 2, 0, last_first);
    places_.push_back({first, static_cast<Index>(weights_.size())});
    add_weights(nodes.data() + first, points_, t, weights_);
  }
}

MatrixXd Interpolation::operator()(const MatrixXd& samples) const {
  MatrixXd values(samples.rows(), static_cast<Index>(places_.size()));
  for (Index k = 0; k < values.cols(); ++k) {
    const Place& place = places_[static_cast<std::size_t>(k)];
    if (place.weights < 0) {
      values.col(k) = samples.col(place.first);
      continue;
    }
    const Eigen::Map<const VectorXd> weights(weights_.data() + place.weights, points_);
    values.col(k).noalias() = samples.middleCols(place.first, points_).lazyProduct(weights);
  }
  return values;
}

VectorXd distance_from_half(const MatrixXd& samples, const std::vector<double>& times) {
  std::vector<double> every_second;
  for (std::size_t k = 0; k < times.size(); k += 2) every_second.push_back(times[k]);
  const MatrixXd half = samples(Eigen::all, Eigen::seq(0, Eigen::last, 2));
  return (Interpolation(every_second, times)(half) - samples).cwiseAbs().rowwise().maxCoeff();
}

}  // namespace rigidlimit
