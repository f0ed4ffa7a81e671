// Tests the verdict on ratios of measured to predicted errors.
#include "rigidlimit/convergence/ratio.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

#include "support/print_verdict.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using Ratios = std::vector<RatioPoint>;
using Law = std::function<double(double)>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// `count` halvings from 0.1: 9 reach ε = 3.9e-4.
Ratios halved(int count, const Law& ratio, double floor = 0.0) {
  Ratios points;
  for (int k = 0; k < count; ++k) {
    const double e = std::ldexp(0.1, -k);
    points.push_back({e, ratio(e), floor, true});
  }
  return points;
}

Law tending_to(double limit, double a, double power) {
  return [=](double e) { return limit + a * std::pow(e, power); };
}

TEST(JudgeRatio, ConfirmsConvergenceToTheTargetAndReportsItsOrder) {
  for (const double power : {1.0, 2.0}) {
    // d = 2 ε^p: at ε = 3.9e-4 7.8e-4 and less.
    const RatioJudgement found = judge_ratio(halved(9, tending_to(1.0, 2.0, power)));
    EXPECT_EQ(found.verdict, Verdict::confirmed) << found.reason;
    EXPECT_NEAR(found.approach.order, power, 1e-9);  // rounding of 1 + d, d > 1e-7
    EXPECT_EQ(found.last, 8u);
    EXPECT_THAT(found.reason, HasSubstr("distance to 1 has order"));
    EXPECT_THAT(found.reason, HasSubstr("expected 1 ± 0.001"));
  }
  EXPECT_EQ(judge_ratio(halved(9, tending_to(-2.0, 1.0, 1.0)), {.target = -2.0}).verdict,
            Verdict::confirmed);
  EXPECT_EQ(judge_ratio(halved(9, [](double) { return 1.0; })).verdict, Verdict::confirmed);
}

// Negative control: a predicted coefficient that is 2 % off. r → 1.02 linearly; the limit through
// three points is exact but for rounding / (1 − 1/2)².
TEST(JudgeRatio, RefutesACoefficientTwoPercentOffAndReportsTheLimit) {
  const RatioJudgement found = judge_ratio(halved(9, tending_to(1.02, 0.5, 1.0), 1e-5));
  EXPECT_EQ(found.verdict, Verdict::refuted) << found.reason;
  EXPECT_NEAR(found.limit, 1.02, 1e-9);
  EXPECT_THAT(found.reason, HasSubstr("settles at 1.02000 ± 1e-05"));
  // Within its own tolerance it is confirmed.
  EXPECT_EQ(judge_ratio(halved(9, tending_to(1.02, 0.5, 1.0)), {.within = 0.03}).verdict,
            Verdict::confirmed);
}

TEST(JudgeRatio, IsPreAsymptoticWhileFallingTowardsTheTarget) {
  // d = 2 √ε: 0.04 at ε = 3.9e-4; the limit of three points is 1.
  const RatioJudgement found = judge_ratio(halved(9, tending_to(1.0, 2.0, 0.5)));
  EXPECT_EQ(found.verdict, Verdict::pre_asymptotic) << found.reason;
  EXPECT_NEAR(found.limit, 1.0, 1e-9);
  // Five halvings of the linear ratio: d = 0.0125, still outside.
  EXPECT_EQ(judge_ratio(halved(5, tending_to(1.0, 2.0, 1.0))).verdict, Verdict::pre_asymptotic);
}

TEST(JudgeRatio, DoesNotConfirmARatioThatPassesThroughTheTarget) {
  // 1.0012, 1.0002, 0.9992: the last ratio is inside, but farther away than the one before.
  const Ratios through = {
      {0.4, 1.0012, 0.0, true}, {0.2, 1.0002, 0.0, true}, {0.1, 0.9992, 0.0, true}};
  EXPECT_EQ(judge_ratio(through).verdict, Verdict::inconclusive);
  EXPECT_THAT(judge_ratio(through).reason, HasSubstr("grows there"));
  // With error bars that explain the growth (0.0006 ≤ 2 · 0.0004) it is confirmed.
  Ratios uncertain = through;
  for (RatioPoint& p : uncertain) p.floor = 4e-4;
  EXPECT_EQ(judge_ratio(uncertain).verdict, Verdict::confirmed);
  // The first distances may be large and irregular.
  const Ratios late = {{0.8, 3.0, 0.0, true},
                       {0.4, 0.2, 0.0, true},
                       {0.2, 1.01, 0.0, true},
                       {0.1, 1.0009, 0.0, true},
                       {0.05, 1.0001, 0.0, true}};
  EXPECT_EQ(judge_ratio(late).verdict, Verdict::confirmed);
}

// The growth of 7e-6 would have to be repeated 130 times to leave the tolerance. Negative control:
// a tolerance that one repetition leaves.
TEST(JudgeRatio, GrowthFarBelowTheToleranceDoesNotDecide) {
  const Ratios cart = {
      {0.4, 1.00005, 1e-7, true}, {0.2, 1.00006133, 1e-7, true}, {0.1, 1.00006797, 1e-7, true}};
  EXPECT_EQ(judge_ratio(cart).verdict, Verdict::confirmed);
  EXPECT_EQ(judge_ratio(cart, {.within = 8e-5}).verdict, Verdict::inconclusive);
}

TEST(JudgeRatio, RowsTooUncertainToDecideAreNoEvidence) {
  EXPECT_EQ(judge_ratio(halved(9, tending_to(1.0, 2.0, 1.0), 2e-3)).verdict,
            Verdict::floor_limited);
  EXPECT_THAT(judge_ratio(halved(9, tending_to(1.0, 2.0, 1.0), 2e-3)).reason,
              HasSubstr("evidence at 0 of 9 ε, 3 needed; 9 with a bar above ± 0.001"));
  Ratios points = halved(9, tending_to(1.0, 2.0, 1.0));
  points[8].floor = 0.01;
  points[7].floor = nan;
  points[6].usable = false;
  const RatioJudgement found = judge_ratio(points, {.within = 0.01});
  EXPECT_EQ(found.last, 8u) << "a floor equal to the tolerance is evidence";
  const RatioJudgement strict = judge_ratio(points, {.within = 0.009});
  EXPECT_EQ(strict.last, 5u);
  EXPECT_EQ(strict.verdict, Verdict::confirmed) << "2 · 0.1/2⁵ = 0.00625; " << strict.reason;
  // Negative control: the uncertain row is far off in spite of its bar.
  points[8].ratio = 1.5;
  EXPECT_EQ(judge_ratio(points, {.within = 0.009}).verdict, Verdict::inconclusive);
  EXPECT_THAT(judge_ratio(points, {.within = 0.009}).reason, HasSubstr("deviates by more than"));
}

/// Negative control: a row that the caller excludes is no failure.
TEST(JudgeRatio, ASeriesWithAFailedRowConfirmsNothing) {
  for (const double ratio : {nan, std::numeric_limits<double>::infinity()}) {
    Ratios points = halved(9, tending_to(1.0, 1e-3, 1.0));
    ASSERT_EQ(judge_ratio(points).verdict, Verdict::confirmed);
    points[2].ratio = ratio;
    EXPECT_EQ(judge_ratio(points).verdict, Verdict::inconclusive);
    EXPECT_THAT(judge_ratio(points).reason, HasSubstr("1 of 9 rows failed"));
    points[2].usable = false;
    EXPECT_EQ(judge_ratio(points).verdict, Verdict::confirmed);
  }
}

TEST(JudgeRatio, NeedsThreePoints) {
  EXPECT_EQ(judge_ratio(halved(2, tending_to(1.0, 1e-5, 1.0))).verdict, Verdict::inconclusive);
  EXPECT_EQ(judge_ratio(halved(3, tending_to(1.0, 1e-5, 1.0))).verdict, Verdict::confirmed);
  EXPECT_EQ(judge_ratio({}).verdict, Verdict::inconclusive);
  Ratios failed = halved(4, tending_to(1.0, 1e-5, 1.0));
  failed[1].ratio = failed[2].ratio = nan;
  EXPECT_EQ(judge_ratio(failed).verdict, Verdict::inconclusive);
}

// A snakeboard had three ratios settled at 1.09 that later converged to 1.
TEST(JudgeRatio, ThreePointsRefuteOnlyIfTheyAreConstant) {
  const auto three = [](double a, double b, double c) {
    return judge_ratio(Ratios{{0.4, a, 0.0, true}, {0.2, b, 0.0, true}, {0.1, c, 0.0, true}});
  };
  EXPECT_EQ(three(1.3, 1.15, 1.0943).verdict, Verdict::pre_asymptotic);
  EXPECT_EQ(three(1.0, 1.08, 1.0943).verdict, Verdict::inconclusive);
  // Negative controls: 0.002 apart, a tenth of the distance 0.1 is 0.01; more ratios show 1.09.
  EXPECT_EQ(three(1.102, 1.101, 1.1005).verdict, Verdict::refuted);
  EXPECT_EQ(judge_ratio(halved(9, tending_to(1.09, 2.0, 1.0))).verdict, Verdict::refuted);
}

// Ratios of a random study: a sphere with β = 1 and ζ = 5.1. At ε = 2e-5 the ratio is 0.99949: it
// turns between the last two ε here, so that it only seems to settle at 0.9887.
TEST(JudgeRatio, DoesNotRefuteARatioThatTurns) {
  const auto four = [](double a, double b, double c, double d) {
    return judge_ratio(Ratios{{5.279e-3, a, 9e-5, true},
                              {2.571e-3, b, 9e-5, true},
                              {1.253e-3, c, 9e-5, true},
                              {6.101e-4, d, 9e-5, true}});
  };
  EXPECT_EQ(four(1.034783, 1.029106, 0.990667, 0.988817).verdict, Verdict::inconclusive);
  // 1 − 0.02 (2 x − x²) turns at x = 1, for ε = 0.0125 between the rows: 0.98 there.
  const Law turning = [](double e) { return 1.0 - 0.02 * (160.0 * e - 6400.0 * e * e); };
  for (const int n : {4, 5, 6})
    EXPECT_NE(judge_ratio(halved(n, turning)).verdict, Verdict::refuted) << n;
  EXPECT_EQ(judge_ratio(halved(9, turning)).verdict, Verdict::pre_asymptotic);
  // Negative controls: the same ratios about another limit, and four that settle at 0.9887.
  const Law wrong = [&](double e) { return turning(e) + 0.05; };
  EXPECT_EQ(judge_ratio(halved(9, wrong)).verdict, Verdict::refuted);
  EXPECT_EQ(four(0.9895, 0.98895, 0.9888, 0.9887).verdict, Verdict::refuted);
}

TEST(JudgeRatio, DoesNotRefuteASlowApproach) {
  // 1 + 0.5/log(1/ε): a power through three of them leads to about 1.05, the logarithm to 1.
  const RatioJudgement slow =
      judge_ratio(halved(9, [](double e) { return 1.0 - 0.5 / std::log(e); }));
  EXPECT_GT(std::abs(slow.limit - 1.0), 5.0 * slow.limit_error) << "the power would refute";
  EXPECT_EQ(slow.verdict, Verdict::pre_asymptotic);
  // Negative control: from twice the coefficient it does not arrive.
  EXPECT_EQ(judge_ratio(halved(9, [](double e) { return 2.0 - 0.5 / std::log(e); })).verdict,
            Verdict::refuted);
}

TEST(JudgeRatio, UnboundedRatiosDivergeAndNoiseIsInconclusive) {
  EXPECT_EQ(judge_ratio(halved(9, [](double e) { return 1.0 / e; })).verdict, Verdict::diverging);
  const Ratios noise = {{0.8, 1.1, 0.0, true},
                        {0.4, 0.8, 0.0, true},
                        {0.2, 1.2, 0.0, true},
                        {0.1, 0.9, 0.0, true},
                        {0.05, 1.3, 0.0, true}};
  EXPECT_EQ(judge_ratio(noise).verdict, Verdict::inconclusive);
}

TEST(JudgeRatio, AcceptsUnequalRefinements) {
  Ratios points;
  for (const double e : {0.3, 0.1, 0.07, 0.01, 0.006, 0.0005})
    points.push_back({e, 0.98 + 0.7 * e, 0.0, true});
  EXPECT_NEAR(judge_ratio(points).limit, 0.98, 1e-9);
  EXPECT_EQ(judge_ratio(points).verdict, Verdict::refuted);
  EXPECT_EQ(judge_ratio(points, {.target = 0.98}).verdict, Verdict::confirmed);
}

TEST(JudgeRatio, RefusesInvalidSeriesAndTargets) {
  const Ratios points = halved(3, tending_to(1.0, 1.0, 1.0));
  EXPECT_THROW(judge_ratio(Ratios{points[1], points[0]}), std::invalid_argument);
  EXPECT_THROW(judge_ratio(points, {.within = 0.0}), std::invalid_argument);
  EXPECT_THROW(judge_ratio(points, {.target = nan}), std::invalid_argument);
  EXPECT_THROW(judge_ratio(Ratios{{0.1, 1.0, -1.0, true}}), std::invalid_argument);
}

// A ratio equals the target up to its initial round-off, which grows as 1/ε to a millionth of the
// tolerance: confirmed. The same 2 % off is refuted, although no trend can be continued.
TEST(JudgeRatio, DecidesConstantRatios) {
  const Law still = [](double e) { return 1.0 + 1e-13 / e; };
  EXPECT_EQ(judge_ratio(halved(9, still)).verdict, Verdict::confirmed);
  EXPECT_EQ(judge_ratio(halved(9, still), {.target = 1.02, .within = 1e-3}).verdict,
            Verdict::refuted);
  // Negative control: the distance to 1 grows to 0.7 of the tolerance.
  const Law growing = [](double e) { return 1.0 + 7e-4 * std::ldexp(0.1, -8) / e; };
  EXPECT_EQ(judge_ratio(halved(9, growing)).verdict, Verdict::inconclusive);
}

}  // namespace
}  // namespace rigidlimit
