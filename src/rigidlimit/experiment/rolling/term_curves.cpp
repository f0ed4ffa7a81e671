#include "rigidlimit/experiment/rolling/term_curves.hpp"

#include <cmath>

namespace rigidlimit {

namespace {

/// SeriesExpansion adds outer and layer terms at one ε. At this ε a time of 2⁻⁶⁰ s is 2⁴⁰ in τ,
/// where all layers have died, and the outer motion does not change in it: the two parts separate.
/// As a power of two, ε and its powers up to 8 scale without rounding.
constexpr int exponent = -100;
constexpr int behind_layer = 40;  ///< τ = 2⁴⁰

const double tiny = std::ldexp(1.0, exponent);

Motion scaled(Motion motion, int power_of_two) {
  const double factor = std::ldexp(1.0, power_of_two);
  motion.q *= factor;
  motion.v *= factor;
  motion.lambda *= factor;
  return motion;
}

/// Outer and layer term of order k at times in τ, or beyond the layer.
Motion whole(const SeriesExpansion& expansion, const std::vector<double>& times, int k) {
  return scaled(expansion.term(tiny, times, k), -exponent * k);
}

std::vector<double> uniform(double end, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(count > 1 ? end * i / (count - 1) : 0.0);
  return times;
}

TermCurve outer_curve(const SeriesExpansion& expansion, const TimeGrid& grid, int k) {
  std::vector<double> times = uniform(grid.end, grid.samples);
  const std::vector<double> labels = times;
  times.front() = std::ldexp(tiny, behind_layer);
  Motion term = whole(expansion, times, k);
  term.times = labels;
  return {.order = k, .in_layer = false, .term = std::move(term)};
}

TermCurve layer_curve(const SeriesExpansion& expansion, const TimeGrid& grid, int k) {
  const std::vector<double> taus = uniform(grid.layer_width, grid.layer_samples);
  std::vector<double> times;
  for (const double tau : taus) times.push_back(std::ldexp(tau, exponent));
  Motion term;
  // Up to order 0, deviation() has no outer term. Of a sliding start, 1/ε hides its order 0.
  if (k < (expansion.slides() ? 0 : 1)) {
    term = scaled(expansion.deviation(tiny, times, k), -exponent * k);
  } else {
    term = whole(expansion, times, k);
    const Motion outer = whole(expansion, {std::ldexp(tiny, behind_layer)}, k);
    term.q.colwise() -= outer.q.col(0);
    term.v.colwise() -= outer.v.col(0);
    term.lambda.colwise() -= outer.lambda.col(0);
  }
  term.times = taus;
  return {.order = k, .in_layer = true, .term = std::move(term)};
}

}  // namespace

std::vector<TermCurve> term_curves(const SeriesExpansion& expansion, const TimeGrid& grid) {
  std::vector<TermCurve> curves;
  if (expansion.slides()) curves.push_back(layer_curve(expansion, grid, -1));
  for (int k = 0; k <= expansion.order(); ++k) {
    curves.push_back(outer_curve(expansion, grid, k));
    curves.push_back(layer_curve(expansion, grid, k));
  }
  return curves;
}

}  // namespace rigidlimit
