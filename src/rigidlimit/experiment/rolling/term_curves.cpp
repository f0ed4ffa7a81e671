#include "rigidlimit/experiment/rolling/term_curves.hpp"

#include <utility>

namespace rigidlimit {

namespace {

std::vector<double> uniform(double end, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(count > 1 ? end * i / (count - 1) : 0.0);
  return times;
}

/// `term(t)` = (q, v, λ, …) at these times.
TermCurve curve(const System& system, int k, bool in_layer, std::vector<double> times,
                const auto& term) {
  const auto count = std::ssize(times);
  Motion motion{.times = std::move(times),
                .q = MatrixXd(system.nq, count),
                .v = MatrixXd(system.n, count),
                .lambda = MatrixXd(system.m, count)};
  for (Index i = 0; i < count; ++i) {
    const VectorXd x = term(motion.times[static_cast<std::size_t>(i)]);
    motion.q.col(i) = x.head(system.nq);
    motion.v.col(i) = x.segment(system.nq, system.n);
    motion.lambda.col(i) = x.segment(system.nq + system.n, system.m);
  }
  return {.order = k, .in_layer = in_layer, .term = std::move(motion)};
}

}  // namespace

std::vector<TermCurve> term_curves(const System& system, const SeriesExpansion<double>& expansion,
                                   const TimeGrid& grid) {
  std::vector<TermCurve> curves;
  for (int k = expansion.slides() ? -1 : 0; k <= expansion.order(); ++k) {
    if (k >= 0)
      curves.push_back(curve(system, k, false, uniform(grid.end, grid.samples),
                             [&](double t) { return expansion.outer(t, k); }));
    curves.push_back(curve(system, k, true, uniform(grid.layer_width, grid.layer_samples),
                           [&](double tau) { return expansion.layer(tau, k); }));
  }
  return curves;
}

}  // namespace rigidlimit
