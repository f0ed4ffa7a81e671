// Tests norms of a difference between its samples, and that their error covers the distance from
// the exact norm.
#include "rigidlimit/experiment/judge/difference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <utility>

#include "rigidlimit/core/stop_request.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"

namespace rigidlimit {
namespace {

const Measure sup{.quantity = Quantity::v}, l1{.quantity = Quantity::v, .norm = Norm::l1},
    l2{.quantity = Quantity::v, .norm = Norm::l2};

/// f in the only component of v.
Motion sampled(const std::vector<double>& times, const std::function<double(double)>& f) {
  const auto count = std::ssize(times);
  Motion motion{.times = times,
                .q = MatrixXd::Zero(1, count),
                .v = MatrixXd(1, count),
                .lambda = MatrixXd::Zero(1, count)};
  for (Index k = 0; k < count; ++k) motion.v(0, k) = f(times[static_cast<std::size_t>(k)]);
  return motion;
}

// K τ exp(−τ), τ = t/ε. Its peak K/e at τ = 1 is off the grid. In the middle of eight nodes at
// distances h the polynomial errs by h⁸ f⁽⁸⁾ (1/2 · 3/2 · 5/2 · 7/2)²/8! ≤ 8 K h⁸/930, that of six
// nodes by h⁶ 6 K (1/2 · 3/2 · 5/2)²/6! ≤ K h⁶/34, three times which is the error.
TEST(DifferenceCurve, LocatesAPeakBetweenSamples) {
  for (const int count : {120, 235, 250, 399})
    for (const double K : {3.0, -3.0}) {
      const double h = 20.0 / (count - 1), exact = std::abs(K) / std::exp(1.0);
      const Motion d = sampled(uniform_grid(20e-3, count),
                               [K](double t) { return K * 1e3 * t * std::exp(-1e3 * t); });
      const CurveSize size = DifferenceCurve(d, {}).size(sup);
      EXPECT_LE(std::abs(size.value - exact), std::abs(K) * (std::pow(h, 8) / 100.0 + 1e-12));
      EXPECT_LE(std::abs(size.value - exact), size.sampling_error + 1e-14);
      EXPECT_LE(size.sampling_error, std::abs(K) * std::pow(h, 6) / 10.0 + 1e-14) << count;
      // Negative control: the largest sample is off by up to (h/2)²/2.
      EXPECT_GT(std::abs(magnitude(d, sup, {}) - exact), size.sampling_error) << count;
    }
}

// An oscillation with any phase and any number of samples a period above Nyquist's 2: the norms are
// 1, 2/π and 1/√2 over whole periods, and the errors cover the distance from them. From 16 samples
// on the errors are small. Negative control: at 3 to 8 samples the largest sample is off by more.
TEST(DifferenceCurve, CoversAnOscillationByItsError) {
  int outside = 0;
  for (const double per_period : {2.7, 3.3, 4.1, 5.3, 8.2, 16.3, 20.6})
    for (int phase = 0; phase < 20; ++phase) {
      const double shift = 0.05 * phase, periods = 7.0;
      const auto f = [&](double t) {
        return std::sin(2.0 * std::numbers::pi * (periods * t + shift));
      };
      const Motion d = sampled(uniform_grid(1.0, static_cast<int>(periods * per_period)), f);
      const DifferenceCurve curve(d, {});
      const CurveSize largest = curve.size(sup), mean = curve.size(l1), root = curve.size(l2);
      EXPECT_LE(std::abs(largest.value - 1.0), largest.sampling_error + 1e-13) << per_period;
      EXPECT_LE(std::abs(mean.value - 2.0 / std::numbers::pi), mean.sampling_error + 1e-13)
          << per_period;
      EXPECT_LE(std::abs(root.value - std::sqrt(0.5)), root.sampling_error + 1e-13) << per_period;
      if (per_period > 16.0) EXPECT_LE(largest.sampling_error, 2e-3);
      if (per_period > 16.0) EXPECT_LE(root.sampling_error, 1e-3);
      if (std::abs(magnitude(d, sup, {}) - 1.0) > 1e-3) ++outside;
    }
  EXPECT_GT(outside, 50);
}

/// Σ a exp(−d t) cos(ω t + φ) with up to four terms on [0, 1].
struct Oscillation {
  struct Term {
    double a, d, omega, phase;
  };
  std::vector<Term> terms{};

  double operator()(double t) const {
    double sum = 0.0;
    for (const Term& x : terms) sum += x.a * std::exp(-x.d * t) * std::cos(x.omega * t + x.phase);
    return sum;
  }

  /// max |f| on [0, 1] from `count` points at a distance h, and the most by which it is too small:
  /// h²/8 max |f''|.
  std::pair<double, double> maximum(int count) const {
    const double h = 1.0 / (count - 1);
    double largest = 0.0, bend = 0.0;
    for (int k = 0; k < count; ++k) largest = std::max(largest, std::abs((*this)(k * h)));
    for (const Term& x : terms) bend += x.a * (x.omega * x.omega + 2.0 * x.d * x.omega + x.d * x.d);
    return {largest, h * h / 8.0 * bend};
  }

  /// With frequencies up to `highest`.
  static Oscillation drawn(std::mt19937_64& random, double highest) {
    std::uniform_real_distribution<double> share(0.0, 1.0);
    Oscillation f;
    const auto count = 1 + static_cast<int>(4.0 * share(random));
    for (int i = 0; i < count; ++i)
      f.terms.push_back({.a = i == 0 ? 1.0 : std::pow(10.0, -2.0 * share(random)),
                         .d = share(random) < 0.5 ? 0.0 : std::pow(10.0, 2.0 * share(random) - 1.0),
                         .omega = highest * share(random),
                         .phase = 2.0 * std::numbers::pi * share(random)});
    return f;
  }
};

/// The polynomial through the `count` samples around the middle of the interval after `before`.
double in_the_middle(const Motion& d, Index before, int count) {
  const auto t = [&](Index k) { return d.times[static_cast<std::size_t>(k)]; };
  const double at = 0.5 * (t(before) + t(before + 1));
  const Index first = before + 1 - count / 2;
  double sum = 0.0;
  for (Index i = first; i < first + count; ++i) {
    double term = d.v(0, i);
    for (Index j = first; j < first + count; ++j)
      if (j != i) term *= (at - t(j)) / (t(i) - t(j));
    sum += term;
  }
  return sum;
}

/// Whether the maximum is outside of value ± error. Rounding of 8 samples of size 4: 1e-13.
bool is_outside(const CurveSize& size, const Oscillation& f, int count) {
  const auto [largest, missed] = f.maximum(count);
  return size.value + size.sampling_error < largest - 1e-13 ||
         size.value - size.sampling_error > largest + missed + 1e-13;
}

/// Intervals in whose middle the polynomials through 8, 6 and 4 samples agree by chance.
int chances(const Motion& d, const Oscillation& f) {
  int count = 0;
  for (Index i = 3; i + 4 < std::ssize(d.times); ++i) {
    const double p7 = in_the_middle(d, i, 8), p5 = in_the_middle(d, i, 6),
                 p3 = in_the_middle(d, i, 4);
    const auto k = static_cast<std::size_t>(i);
    const double exact = f(0.5 * (d.times[k] + d.times[k + 1]));
    if (std::abs(p7 - p5) <= std::abs(p5 - p3) / 3.0 &&
        std::abs(exact - p7) > std::abs(p7 - p5) + 1e-13)
      ++count;
  }
  return count;
}

// Ten thousand oscillations: the maximum over all times lies within value ± error, but for at most
// one in a thousand. Uniform samples show frequencies up to 0.8 times half their rate; nearer to it
// the samples of a short beat can all be near zero. The samples of layers in the grid of a study
// show higher frequencies of the larger terms; a small term with a slow alias can be missed.
// Negative control: two polynomials that agree in a single interval are off by more than that.
TEST(DifferenceCurve, CoversTheMaximumOfRandomOscillations) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<int> counts(30, 200);
  int outside = 0, beyond = 0, resolved = 0, by_chance = 0;
  for (int k = 0; k < 5'000; ++k) {
    const int count = counts(random);
    const double half_rate = std::numbers::pi * (count - 1);
    const Oscillation slow = Oscillation::drawn(random, 0.8 * half_rate),
                      fast = Oscillation::drawn(random, 1.8 * half_rate);
    const Motion uniform = sampled(uniform_grid(1.0, count), slow);
    const TimeGrid grid{.end = 1.0, .samples = count, .layer_samples = 41};
    const CurveSize size = DifferenceCurve(uniform, {}).size(sup);
    if (is_outside(size, slow, 20 * count)) ++outside;
    if (is_outside(DifferenceCurve(sampled(grid_for(grid, 1e-3), fast), {}).size(sup), fast,
                   20 * count))
      ++beyond;
    if (size.sampling_error <= 0.1 * size.value) ++resolved;
    if (k % 10 == 0) by_chance += chances(uniform, slow);
  }
  EXPECT_LE(outside, 5);
  EXPECT_LE(beyond, 5);
  EXPECT_GT(resolved, 500);
  EXPECT_GT(by_chance, 100);
}

// Pieces of five to seven samples: all their intervals have the same samples, and the polynomials
// no neighbours. One in a thousand may lie outside.
TEST(DifferenceCurve, CoversTheMaximumOfOscillationsInShortPieces) {
  std::mt19937_64 random(8);
  int outside = 0, resolved = 0;
  for (int k = 0; k < 3'000; ++k) {
    const int count = 5 + k % 3;
    const Oscillation f = Oscillation::drawn(random, 0.3 * std::numbers::pi * (count - 1));
    const CurveSize size = DifferenceCurve(sampled(uniform_grid(1.0, count), f), {}).size(sup);
    if (is_outside(size, f, 1'000)) ++outside;
    if (size.sampling_error <= 0.1 * size.value) ++resolved;
  }
  EXPECT_LE(outside, 3);
  EXPECT_GT(resolved, 100);
}

// 1 − |t − c| has its maximum 1 at a corner c between two samples. At an unknown corner the value
// is the largest sample, and the error covers the rest; a known one is met to rounding.
TEST(DifferenceCurve, CoversACornerByItsErrorAndMeetsAKnownOne) {
  for (const double c : {0.503, 0.5051, 0.5089, 0.31}) {
    const Motion d =
        sampled(uniform_grid(1.0, 101), [c](double t) { return 1.0 - std::abs(t - c); });
    const CurveSize unknown = DifferenceCurve(d, {}).size(sup);
    EXPECT_LE(unknown.value, 1.0);
    EXPECT_GE(unknown.value + unknown.sampling_error, 1.0 - 1e-13);
    EXPECT_LE(unknown.sampling_error, 0.02);
    for (const Windows& windows : {Windows{.events = {c}}, Windows{.breaks = {c}}}) {
      const CurveSize known = DifferenceCurve(d, windows).size(sup);
      EXPECT_NEAR(known.value, 1.0, 1e-12);
      EXPECT_LE(known.sampling_error, 1e-11);
    }
  }
}

// v jumps at 0.5 and back at 0.503, which is between two samples: with both instants known the L¹
// norm is the delay to rounding. Negative control: the trapezoidal rule errs by its spacing.
TEST(DifferenceCurve, IntegratesUpToAJump) {
  const Motion d = sampled(uniform_grid(1.0, 1001),
                           [](double t) { return t >= 0.5 && t < 0.50312 ? 1.0 : 0.0; });
  const Windows windows{.events = {0.5}, .breaks = {0.50312}};
  const CurveSize size = DifferenceCurve(d, windows).size(l1);
  EXPECT_NEAR(size.value, 0.00312, 1e-12);
  EXPECT_GT(std::abs(magnitude(d, l1, windows) - 0.00312), 1e-4);
}

// exp(−5 t) on t ≥ a: the supremum is the value at a, the mean square (exp(−10 a) − exp(−10))/(10
// (1 − a)). At the edge of the window the polynomial has nodes on both sides.
TEST(DifferenceCurve, BeginsAtTheEdgeOfItsWindow) {
  for (const double a : {0.1, 0.25, 0.7}) {
    const Motion d = sampled(uniform_grid(1.0, 101), [](double t) { return std::exp(-5.0 * t); });
    const DifferenceCurve curve(d, {.after = a});
    const CurveSize largest = curve.size({.quantity = Quantity::v, .window = Window::after});
    EXPECT_NEAR(largest.value, std::exp(-5.0 * a), 1e-13);
    EXPECT_LE(largest.sampling_error, 3e-10);
    const CurveSize root = curve.size({Quantity::v, Norm::l2, Window::after});
    const double exact = (std::exp(-10.0 * a) - std::exp(-10.0)) / (10.0 * (1.0 - a));
    EXPECT_NEAR(root.value, std::sqrt(exact), 1e-12);
    EXPECT_LE(std::abs(root.value - std::sqrt(exact)), root.sampling_error + 1e-15);
  }
}

// Samples in clusters, as in a grid with layers: a polynomial through near neighbours would amplify
// rounding. The values are those of a plateau to a few roundings.
TEST(DifferenceCurve, DoesNotAmplifyTheRoundingOfAPlateau) {
  std::vector<double> times;
  for (int k = 0; k <= 40; ++k) {
    const double t = 0.025 * k;
    for (const double offset : {0.0, 1e-11, 3e-9, 1e-6}) times.push_back(t + offset);
  }
  int k = 0;
  const double rounding = 0x1p-52;
  const Motion d =
      sampled(times, [&](double) { return 1.0 + rounding * static_cast<double>(++k * 7 % 3); });
  const CurveSize size = DifferenceCurve(d, {}).size(sup);
  EXPECT_NEAR(size.value, 1.0, 40.0 * rounding);
  EXPECT_LE(size.sampling_error, 200.0 * rounding);
}

TEST(DifferenceCurve, IsNaNForAMissingValueInItsWindowOnly) {
  Motion d = sampled(uniform_grid(1.0, 41), [](double t) { return 1.0 + t; });
  d.v(0, 5) = std::nan("");
  const DifferenceCurve curve(d, {.after = 0.25});
  for (const Norm norm : {Norm::sup, Norm::l1, Norm::l2}) {
    EXPECT_TRUE(std::isnan(curve.size({Quantity::v, norm, Window::all}).value));
    EXPECT_TRUE(std::isfinite(curve.size({Quantity::v, norm, Window::after}).value));
    EXPECT_TRUE(std::isfinite(curve.size({Quantity::v, norm, Window::after}).sampling_error));
    EXPECT_EQ(curve.size({Quantity::q, norm, Window::all}).value, 0.0) << "another quantity";
    EXPECT_TRUE(std::isnan(DifferenceCurve({}, {}).size({Quantity::v, norm, Window::all}).value));
  }
}

// A question at every 4096th interval of each pass. Negative control: a short motion has none.
TEST(DifferenceCurve, AsksWhetherToStop) {
  int asked = 0;
  const auto size = [&](int count, const Measure& measure, int most) {
    asked = 0;
    const Motion d = sampled(uniform_grid(1.0, count), [](double t) { return std::sin(t); });
    return DifferenceCurve(d, {}, [&, most] { return ++asked > most; }).size(measure);
  };
  for (const Measure& measure : {sup, l1, l2}) {
    EXPECT_GT(size(41'000, measure, 1'000'000).value, 0.0);
    const int all = asked;
    EXPECT_GE(all, 4 * 10) << "the intervals in two passes, samples and intervals of the size";
    for (const int most : {0, 10, all - 1}) {
      EXPECT_THROW(size(41'000, measure, most), Stopped);
      EXPECT_EQ(asked, most + 1);
    }
    EXPECT_GT(size(1000, measure, 0).value, 0.0);
    EXPECT_EQ(asked, 0);
  }
}

}  // namespace
}  // namespace rigidlimit
