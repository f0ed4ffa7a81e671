// Tests the sum of a layer over pieces against its exact integrals, for all ε at once.
#include "rigidlimit/certify/layer_sum.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "rigidlimit/certify/decaying_norm.hpp"

namespace rigidlimit {
namespace {

using testing::DoubleNear, testing::Ge, testing::Le, testing::Lt;

constexpr double largest_epsilon = 0.01;

BallVector one(const Ball& x) {
  return BallVector::Constant(1, x);
}

LayerSum empty() {
  return {.bound = one(0), .single = one(0), .twice = one(0)};
}

/// The layer g' = −g/ε from 1 on pieces of the length 0.005, in norms |g|_k = f_k |g| that are
/// scaled to be not above the one before, with |c|' = s_k f_k |g|/ε + 2 q_k f_k² |g|²/ε: the exact
/// sum, and its bound.
struct Layers {
  std::vector<double> norms, single, twice;
  static constexpr double length = 0.005;

  double exact(double epsilon) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < norms.size(); ++k) {
      const auto at = [&](std::size_t piece) {
        return norms[k] * std::exp(-length * static_cast<double>(piece) / epsilon);
      };
      sum += single[k] * (at(k) - at(k + 1)) + twice[k] * (at(k) * at(k) - at(k + 1) * at(k + 1));
    }
    return sum;
  }

  /// f_k |g| = (f_k/g_k) × the scaled norm g_k |g|.
  double bound() const {
    DecayingNorm norm = norm_of(norms.front());
    FastBound fast{.layer = norm.size(one(1)), .decay = 0, .rest = 0};
    LayerSum sum = empty();
    for (std::size_t k = 0; k < norms.size(); ++k) {
      norm = norm_of(norms[k]).not_above(norm);
      const Ball ratio = Ball(norms[k]) * norm.components()(0);
      sum = sum.after(one(single[k] * ratio), one(twice[k] * ratio * ratio), one(0),
                      fast.layer_over_power(0, largest_epsilon));
      fast = fast.after(length, 1, 0, largest_epsilon);
    }
    return sum.bound(0).upper();
  }

 private:
  /// For J = −1 and the energy 0.6 f² the form is P = f², because 2 · 0.3 P = 0.6 f².
  static DecayingNorm norm_of(double f) {
    return {MatrixXd::Constant(1, 1, -1.0), MatrixXd::Constant(1, 1, 0.6 * f * f)};
  }
};

constexpr std::array epsilons{1e-2, 7e-3, 3e-3, 1e-3, 1e-5};

// Doubles of the exact sums, of the size 1 to 10, are right to a few 1e-16.
constexpr double rounding = 1e-14;

// A norm that falls to 0.5 behind the first piece: for ε → 0 the layer is over by then, and all of
// its sum remains. The bound that is reduced by s (1 − f) λ(ε₀) = 0.5 e^(−1/2) is 0.7: too small.
TEST(Proof, NormsThatShrinkDoNotReduceTheBound) {
  const Layers layers{.norms = {1.0, 0.5}, .single = {1.0, 1.0}, .twice = {0.0, 0.0}};
  for (const double epsilon : epsilons)
    EXPECT_THAT(layers.exact(epsilon), Le(layers.bound() + rounding)) << epsilon;
  const double reduced = 1.0 - 0.5 * std::exp(-Layers::length / largest_epsilon);
  EXPECT_THAT(reduced, Lt(layers.exact(1e-3))) << "negative control";
}

TEST(LayerSum, BoundsTheQuadraticPartOfNormsThatShrink) {
  const Layers layers{.norms = {1.0, 0.5}, .single = {0.0, 0.0}, .twice = {1.0, 1.0}};
  for (const double epsilon : epsilons)
    EXPECT_THAT(layers.exact(epsilon), Le(layers.bound() + rounding)) << epsilon;
  const double reduced = 1.0 - 0.75 * std::exp(-2.0 * Layers::length / largest_epsilon);
  EXPECT_THAT(reduced, Lt(layers.exact(1e-3))) << "negative control";
}

// Norms that grow and shrink, and coefficients likewise.
TEST(LayerSum, BoundsTheSumInNormsThatGrowAndShrink) {
  for (int k = 0; k < 200; ++k) {
    Layers layers;
    for (int piece = 0; piece < 6; ++piece) {
      const VectorXd x = VectorXd::Random(3);
      layers.norms.push_back(std::exp(x(0)));
      layers.single.push_back(1.0 + x(1));
      layers.twice.push_back(1.0 + x(2));
    }
    for (const double epsilon : epsilons)
      EXPECT_THAT(layers.exact(epsilon), Le(layers.bound() * (1.0 + rounding)));
  }
}

// With one norm and growing coefficients the sum is Abel's, and for ε → 0 only s₁ λ(0) remains.
TEST(LayerSum, IsAbelsSumInOneNorm) {
  const Layers layers{.norms = {1.0, 1.0}, .single = {1.0, 3.0}, .twice = {0.0, 0.0}};
  const double expected = 1.0 + 2.0 * std::exp(-Layers::length / largest_epsilon);
  EXPECT_THAT(layers.bound(), DoubleNear(expected, rounding));
  EXPECT_THAT(layers.exact(1e-5), DoubleNear(1.0, rounding));
}

// In another frame c, s and d change alike.
TEST(LayerSum, ChangesWithItsFrame) {
  LayerSum sum{.bound = one(1), .single = one(2), .twice = one(3)};
  sum.change_frame(BallMatrix::Constant(1, 1, Ball(2)));
  EXPECT_THAT(sum.bound(0).upper(), DoubleNear(2.0, rounding));
  EXPECT_THAT(sum.single(0).upper(), DoubleNear(4.0, rounding));
  EXPECT_THAT(sum.twice(0).upper(), DoubleNear(6.0, rounding));
}

// e^(−θ/ε) ε^(−k) is largest at ε = θ/k, or at ε₀ if that is smaller.
TEST(Decayed, IsTheLargestOfAllEpsilon) {
  for (const double theta : {1e-3, 0.015, 0.2})
    for (const int k : {0, 1, 2}) {
      const double bound = decayed(theta, k, largest_epsilon).upper();
      double largest = 0.0;
      for (int i = 1; i <= 1000; ++i) {
        const double epsilon = largest_epsilon * i / 1000.0;
        largest = std::max(largest, std::exp(-theta / epsilon) * std::pow(epsilon, -k));
      }
      EXPECT_THAT(largest, Le(bound * (1.0 + rounding)));
      // The grid of ε is at most 1e-5 from the largest value, where it is flat or at its end.
      EXPECT_THAT(largest, Ge(bound * (1.0 - 1e-3)));
    }
  EXPECT_THROW(decayed(0, 1, largest_epsilon), std::domain_error);
}

// A time in a ball: only its shortest one is sure. Arb rounds a radius up, by 2^-29 at most.
TEST(FastBound, DecaysForTheShortestTime) {
  const FastBound fast{.layer = 1, .decay = 1, .rest = 2};
  const Ball time = Ball(0.5) + Ball::around_zero(0.25), kappa = 2, settled = 0.125;
  const FastBound next = fast.after(time, kappa, settled, 1);
  EXPECT_THAT(next.decay.upper(), Le(1.5));
  const double rest = 0.125 + 2.0 * std::exp(-0.5);
  EXPECT_THAT(next.rest.upper(), DoubleNear(rest, 1e-8));
  // K falls only if it is above its limit.
  EXPECT_THAT(fast.after(time, kappa, 3, 1).rest.upper(), DoubleNear(3.0, rounding));
}

}  // namespace
}  // namespace rigidlimit
