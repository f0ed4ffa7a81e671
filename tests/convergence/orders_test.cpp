// Tests neighbour orders, the fitted order of a series, its trend, and its limit.
#include "rigidlimit/convergence/orders.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace rigidlimit {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

using Series = std::vector<SeriesPoint>;
using Law = std::function<double(double)>;

const std::vector<double> one_two_five{1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002};

Series series(const std::vector<double>& epsilons, const Law& error, double floor = 0.0) {
  Series points;
  for (const double e : epsilons) points.push_back({e, error(e), floor, true});
  return points;
}

std::vector<double> halved(double start, int count) {
  std::vector<double> epsilons;
  for (int k = 0; k < count; ++k) epsilons.push_back(std::ldexp(start, -k));
  return epsilons;
}

Law power(double K, double p) {
  return [=](double e) { return K * std::pow(e, p); };
}

/// Standard normal numbers, equal on all platforms: Knuth's MMIX congruence and Box-Muller.
struct Normal {
  std::uint64_t state;
  double uniform() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (static_cast<double>(state >> 11) + 0.5) * 0x1p-53;
  }
  double operator()() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }
};

TEST(IsEvidence, FollowsTheTenfoldRuleOnBothSides) {
  EXPECT_TRUE(is_evidence({0.1, 1.0, 0.1, true}));
  EXPECT_FALSE(is_evidence({0.1, 0.999, 0.1, true}));
  EXPECT_TRUE(is_evidence({0.1, 1e-300, 0.0, true}));
  for (const double missing : {0.0, nan, infinity})
    EXPECT_FALSE(is_evidence({0.1, missing, 0.0, true}));
  EXPECT_FALSE(is_evidence({0.1, 1.0, nan, true}));  // unknown floor
  EXPECT_FALSE(is_evidence({0.1, 1.0, 0.0, false}));
}

TEST(NeighbourOrders, UseTheActualRatioAndKeepTheSign) {
  for (const double p : {2.0, 0.5, 0.0, -1.0}) {
    const auto orders = neighbour_orders(series(one_two_five, power(3.0, p)));
    ASSERT_EQ(orders.size(), one_two_five.size());
    EXPECT_TRUE(std::isnan(orders[0]));
    // e_k/e_{k+1} carries a few roundings of 1.1e-16, divided by log 2: below 1e-14.
    for (std::size_t k = 1; k < orders.size(); ++k) EXPECT_NEAR(orders[k], p, 1e-14);
  }
  // Negative control: treating this irregular series as halvings would show 2.64.
  const auto points = series(one_two_five, power(3.0, 2.0));
  EXPECT_GT(std::log2(points[1].error / points[2].error), 2.6);
}

TEST(NeighbourOrders, AreMissingBesideAMissingError) {
  Series points = series(halved(1.0, 8), power(1.0, 1.0));
  points[2].error = nan;
  points[4].error = 0.0;
  points[6].usable = false;
  const auto orders = neighbour_orders(points);
  for (const std::size_t k : {0, 2, 3, 4, 5, 6, 7}) EXPECT_TRUE(std::isnan(orders[k])) << k;
  EXPECT_NEAR(orders[1], 1.0, 1e-14);
  EXPECT_TRUE(neighbour_orders({}).empty());
  // Rows under the floor have orders all the same.
  EXPECT_NEAR(neighbour_orders(series(halved(1.0, 3), power(1.0, 2.0), 1e3))[2], 2.0, 1e-14);
}

// A pair has the order of the same rows in a series, and may be in either direction.
TEST(NeighbourOrder, MatchesTheSeriesAndIsNanForInvalidPairs) {
  Series points = series(one_two_five, power(3.0, 1.5));
  points[3].error = 0.0;
  points[6].usable = false;
  const auto orders = neighbour_orders(points);
  for (std::size_t k = 1; k < points.size(); ++k) {
    const double one = neighbour_order(points[k - 1], points[k]);
    EXPECT_TRUE(one == orders[k] || (std::isnan(one) && std::isnan(orders[k]))) << k;
    // Either direction, to the roundings of two quotients: log 2 divides them.
    if (!std::isnan(one)) EXPECT_NEAR(neighbour_order(points[k], points[k - 1]), one, 1e-14);
  }
  const SeriesPoint a{.epsilon = 0.1, .error = 1.0};
  EXPECT_TRUE(std::isfinite(neighbour_order(a, {.epsilon = 0.05, .error = 1.0})));
  for (const double epsilon : {0.1, 0.0, -0.1, nan, infinity})
    EXPECT_TRUE(std::isnan(neighbour_order(a, {.epsilon = epsilon, .error = 0.5}))) << epsilon;
  for (const double error : {0.0, -1.0, nan, infinity})
    EXPECT_TRUE(std::isnan(neighbour_order(a, {.epsilon = 0.05, .error = error}))) << error;
}

TEST(FitOrder, RecoversAnExactPower) {
  for (const double p : {2.0, 1.0, 0.0, -1.0, 3.5}) {
    const OrderFit fit = fit_order(series(one_two_five, power(3.0, p)));
    // Roundings of log e, at most 2e-15 each for |log e| < 25, over a range of log ε of 6.2.
    EXPECT_NEAR(fit.order, p, 1e-12);
    EXPECT_NEAR(fit.coefficient, 3.0, 3e-12);
    EXPECT_LT(fit.standard_error, 1e-14);
    EXPECT_LT(fit.spread, 1e-12);
    EXPECT_EQ(fit.floor_error, 0.0);
    EXPECT_TRUE(fit.settled && fit.first == 0 && fit.last == 8 && fit.count == 9);
  }
}

TEST(FitOrder, FindsTheTailOfABentSeries) {
  // ε² (1 + 10 ε): between ε and ε/2 the order is 2 + log2((1 + 10ε)/(1 + 5ε)).
  const auto points =
      series(halved(1.0, 14), [](double e) { return 4.0 * e * e * (1.0 + 10.0 * e); });
  const OrderFit fit = fit_order(points);
  EXPECT_TRUE(fit.settled && fit.last == 13 && fit.first > 4);
  // All orders in the window are above 2 and within 0.05 of a fit among them.
  EXPECT_GT(fit.order, 2.0);
  EXPECT_LT(fit.order, 2.05);
  EXPECT_LE(fit.spread, 0.05);
  // The fit passes through the mean of the points, at ε_c: K = 4 ε_c^(2 − p) (1 + at most 10 ε).
  const double excess = std::log(fit.coefficient / 4.0);
  const double log_center = 0.5 * std::log(points[fit.first].epsilon * points[fit.last].epsilon);
  EXPECT_GT(excess, (2.0 - fit.order) * log_center);
  EXPECT_LT(excess, (2.0 - fit.order) * log_center + 10.0 * points[fit.first].epsilon);
  // A tighter spread takes a shorter tail, nearer to 2.
  const OrderFit tight = fit_order(points, {.max_spread = 0.005});
  EXPECT_GT(tight.first, fit.first);
  EXPECT_LT(std::abs(tight.order - 2.0), std::abs(fit.order - 2.0));
  // Negative control: the orders are not within 0.05 over the whole series.
  const OrderFit whole = fit_order(points, {.min_points = 14});
  EXPECT_FALSE(whole.settled);
  EXPECT_GT(whole.spread, 0.5);
}

TEST(FitOrder, IsRightWithinItsStandardErrorForNoise) {
  // 13 halvings; log e has noise of σ = 0.003, so a neighbour order has σ √2/log 2 = 0.006. All
  // orders stay within 0.05 (8 σ): the window is the series. The slope of a least-squares fit then
  // has the standard deviation σ/√Sxx, Sxx = log²2 · n(n² − 1)/12.
  constexpr int n = 13, repetitions = 400;
  const double sigma = 0.003;
  const double truth = sigma / std::sqrt(std::pow(std::numbers::ln2, 2) * n * (n * n - 1.0) / 12.0);
  Normal normal{20240917};
  double squares = 0.0, estimates = 0.0;
  for (int i = 0; i < repetitions; ++i) {
    const OrderFit fit = fit_order(
        series(halved(0.1, n), [&](double e) { return e * e * std::exp(sigma * normal()); }));
    ASSERT_TRUE(fit.settled);
    ASSERT_EQ(fit.count, 13u);
    // Four deviations are exceeded in 1 of 16000 draws; the seed is fixed.
    EXPECT_NEAR(fit.order, 2.0, 4.0 * truth);
    squares += std::pow(fit.order - 2.0, 2) / repetitions;
    estimates += std::pow(fit.standard_error, 2) / repetitions;
  }
  // Mean squares over 400 draws: relative deviations √(2/400) = 0.07 for the slope and
  // √(2/(11·400)) = 0.021 for the estimate of the variance; four of them.
  EXPECT_NEAR(squares / (truth * truth), 1.0, 0.28);
  EXPECT_NEAR(estimates / (truth * truth), 1.0, 0.085);
}

TEST(FitOrder, ExcludesRowsDominatedByTheFloor) {
  // ε² + f with a known f = 1e-7: the errors fall to f and stay there.
  const double floor = 1e-7;
  const auto points = series(
      halved(0.1, 18), [=](double e) { return e * e + floor; }, floor);
  const OrderFit fit = fit_order(points);
  // e ≥ 10 f ⇔ ε ≥ 3 √f = 9.5e-4: the rows 0 … 6 (1.56e-3); row 7 has ε = 7.8e-4.
  EXPECT_TRUE(fit.settled && fit.last == 6);
  EXPECT_NEAR(fit.order, 2.0, 0.02);
  EXPECT_GT(fit.floor_error, std::abs(fit.order - 2.0));  // the floor explains the whole error
  EXPECT_LT(fit.floor_error, 0.05);
  // Negative control: without a declared floor the same errors settle at 0, where only f remains.
  Series undeclared = points;
  for (SeriesPoint& p : undeclared) p.floor = 0.0;
  EXPECT_TRUE(fit_order(undeclared).settled);
  EXPECT_NEAR(fit_order(undeclared).order, 0.0, 0.05);
}

TEST(FitOrder, AllowsForTheFloorInTheLastOrderOnly) {
  // The last point is just ten times above the floor and 10 % off: neighbour order
  // 2 − log2(1.1) = 1.862, outside 0.05. The declared floor explains it; without one it is scatter.
  Series points = series(halved(1.0, 7), power(1.0, 2.0));
  points.back().error *= 1.1;
  EXPECT_FALSE(fit_order(points).settled);
  points.back().floor = points.back().error / 10.0;
  const OrderFit fit = fit_order(points);
  EXPECT_TRUE(fit.settled);
  EXPECT_EQ(fit.count, 7u);
  EXPECT_NEAR(fit.order, 2.0, fit.floor_error);
  points[4].error *= 1.1;  // far above its floor, which explains nothing here
  EXPECT_FALSE(fit_order(points).settled);
}

TEST(FitOrder, FloorDoesNotExcuseScatterOfTheFit) {
  // Every floor is a tenth of its error, so a neighbour order may be 0.3 off; the orders are 2 ± d.
  const auto scattered = [](double d) {
    Series points{{1.0, 1.0, 0.1, true}};
    for (const double p : {2.0 - d, 2.0 + d, 2.0 - d})
      points.push_back(
          {points.back().epsilon / 2.0, points.back().error * std::exp2(-p), 0.0, true});
    for (SeriesPoint& p : points) p.floor = p.error / 10.0;
    return points;
  };
  EXPECT_TRUE(fit_order(scattered(0.1)).settled);    // standard error 0.2 · d √2 = 0.028
  EXPECT_FALSE(fit_order(scattered(0.25)).settled);  // 0.07
}

TEST(FitOrder, SkipsFailedRows) {
  Series points = series(halved(1.0, 10), power(2.0, 1.0));
  points[3] = {points[3].epsilon, nan, 0.0, false};
  points[6] = {points[6].epsilon, 1e6, 0.0, false};  // a wrong number that must not enter
  points[8].error = 0.0;
  const OrderFit fit = fit_order(points);
  EXPECT_TRUE(fit.settled);
  EXPECT_NEAR(fit.order, 1.0, 1e-12);
  EXPECT_NEAR(fit.coefficient, 2.0, 1e-11);
  EXPECT_TRUE(fit.first == 0 && fit.last == 9 && fit.count == 7);
  // Negative control: with the wrong number included.
  points[6].usable = true;
  EXPECT_GT(fit_order(points).spread, 1.0);
}

TEST(FitOrder, NeedsFourPointsOrASeriesOfThree) {
  EXPECT_EQ(fit_order({}).count, 0u);
  for (int n : {1, 2, 3, 4}) {
    const OrderFit fit = fit_order(series(halved(1.0, n), power(1.0, 2.0)));
    EXPECT_EQ(fit.count, static_cast<std::size_t>(n));
    EXPECT_EQ(fit.settled, n >= 3) << n;
    // Two points always lie on a line.
    EXPECT_EQ(std::isnan(fit.order), n <= 2);
    EXPECT_EQ(std::isnan(fit.standard_error), n <= 2);
    EXPECT_EQ(std::abs(fit.order - 2.0) < 1e-12, n > 2);
  }
  Series points = series(halved(1.0, 4), power(1.0, 2.0));
  points[3].usable = false;  // three points of a series of four are not enough
  EXPECT_FALSE(fit_order(points).settled);
}

TEST(OrderTrend, IsAitkensForEqualRatiosAndExactForUnequalRatios) {
  // Errors whose neighbour orders are exactly 2 − 0.4 · 0.6^k.
  Series points{{1.0, 1.0, 0.0, true}};
  for (int k = 0; k < 6; ++k)
    points.push_back({points.back().epsilon / 2.0,
                      points.back().error / std::exp2(2.0 - 0.4 * std::pow(0.6, k)), 0.0, true});
  const auto trend = order_trend(points);
  ASSERT_TRUE(trend);
  EXPECT_TRUE(trend->shrinking);
  EXPECT_NEAR(trend->orders.back(), 2.0 - 0.4 * std::pow(0.6, 5), 1e-12);
  // Roundings of 1e-15 in the orders, magnified by about 50 (1/(0.6^4 · 0.4²)).
  EXPECT_NEAR(trend->limit, 2.0, 1e-11);
  EXPECT_NEAR(trend->next, 2.0 - 0.4 * std::pow(0.6, 6), 1e-11);
  EXPECT_NEAR(trend->horizon, 2.0 - 0.4 * std::pow(0.6, 5 + 6), 1e-11);

  // Alternating ratios 2 and 10, ε² (1 + ε/10): at the logarithmic mean L of two ε the order is
  // 2 + L/10 up to (ε/10)²/2 < 2e-6, ε ≤ 0.02 in the last three orders.
  const auto irregular = order_trend(series({0.4, 0.2, 0.02, 0.01, 0.001, 0.0005},
                                            [](double e) { return e * e * (1.0 + 0.1 * e); }));
  ASSERT_TRUE(irregular);
  EXPECT_NEAR(irregular->limit, 2.0, 2e-6);
  // Negative control: plain Aitken, which assumes equal ratios, does not satisfy this.
  const auto& p = irregular->orders;
  const double r = (p[3] - p[2]) / (p[2] - p[1]);
  EXPECT_GT(std::abs(p[3] + (p[3] - p[2]) * r / (1.0 - r) - 2.0), 4e-6);
}

TEST(OrderTrend, HasNoLimitForGrowingSteps) {
  // ε² + 1e-4 ε between 0.1 and 1.6e-3: the order leaves 2 for 1.
  const auto trend = order_trend(series(halved(0.1, 7), [](double e) { return e * e + 1e-4 * e; }));
  ASSERT_TRUE(trend);
  EXPECT_FALSE(trend->shrinking);
  EXPECT_EQ(trend->limit, -infinity);
  EXPECT_LT(trend->next, trend->orders.back());
  EXPECT_LT(trend->horizon, trend->next);
}

TEST(OrderTrend, NeedsOneDirectionAndMoreThanTheFloor) {
  const Law bent = [](double e) { return e * (1.0 + e); };
  EXPECT_FALSE(order_trend(series(halved(1.0, 4), bent)));
  EXPECT_TRUE(order_trend(series(halved(1.0, 5), bent)));
  EXPECT_TRUE(order_trend(series(halved(1.0, 4), bent), 2));
  double side = 0.1;
  const Law jagged = [&](double e) { return e * (1.0 + (side = -side)); };
  EXPECT_FALSE(order_trend(series(halved(1.0, 9), jagged)));
  // Errors that approach a declared floor bend down ever faster: no trend. Undeclared: a trend.
  const Law into_floor = [](double e) { return e * e + 1e-6; };
  EXPECT_FALSE(order_trend(series(halved(0.1, 6), into_floor, 1e-6)));
  EXPECT_TRUE(order_trend(series(halved(0.1, 6), into_floor)));
}

// e = ε² (1 + ε): the neighbour order at ε is 2 + ε to leading order, which falls like ε^1.
// Extrapolation to ε → 0 leaves the next term, O(ε²) of the last three, 8e-4² there; a fit over the
// same points keeps O(ε).
TEST(OrderLimit, RemovesTheTrendThatAFitKeeps) {
  const Law law = [](double e) { return e * e * (1.0 + e); };
  const Series points = series(halved(0.1, 8), law);
  const Limit limit = order_limit(points);
  EXPECT_NEAR(limit.value, 2.0, 1e-5);
  EXPECT_LE(std::abs(limit.value - 2.0), limit.error);
  EXPECT_LT(limit.error, 1e-4);
  EXPECT_GT(std::abs(fit_order(points).order - 2.0), 1e-3);
  // Negative controls: a floor is an error bar of the limit too; two orders have no limit.
  EXPECT_GT(order_limit(series(halved(0.1, 8), law, 1e-9)).error, 1e-4);
  EXPECT_TRUE(std::isnan(order_limit(series(halved(0.1, 3), law)).value));
}

// The orders of ε log(1/ε) are 1 − 1/log(1/ε): a power of ε through three of them stops half way.
TEST(OrderLimit, ContainsTheLimitOfALogarithm) {
  const Law law = [](double e) { return -e * std::log(e); };
  const Limit limit = order_limit(series(halved(0.1, 12), law));
  EXPECT_LT(limit.value, 0.97) << "the power stops short";
  // The orders are differences over log 2, not derivatives: off by log²2/(12 L²), which is 4 % of
  // 1/L² at the largest ε used, L = 8.5.
  EXPECT_LE(std::abs(limit.value - 1.0), 1.1 * limit.error);
  // Negative controls: the error is small for a power; it covers both trends of three orders.
  const Law bent = [](double e) { return e * (1.0 + e); };
  EXPECT_LT(order_limit(series(halved(0.1, 12), bent)).error, 1e-5);
  EXPECT_GT(order_limit(series(halved(0.1, 4), bent)).error,
            10.0 * order_limit(series(halved(0.1, 5), bent)).error);
}

TEST(Orders, RefuseInvalidSeries) {
  const Law law = power(1.0, 1.0);
  const auto refused = [](const Series& points, const char* message) {
    using testing::HasSubstr, testing::ThrowsMessage;
    EXPECT_THAT([&] { fit_order(points); },
                ThrowsMessage<std::invalid_argument>(HasSubstr(message)));
    EXPECT_THROW(neighbour_orders(points), std::invalid_argument);
    EXPECT_THROW(order_trend(points), std::invalid_argument);
  };
  refused(series({0.1, 0.01, 0.05}, law), "row 2: epsilon = 0.05 after 0.01");
  refused(series({0.1, 0.1}, law), "row 1: epsilon = 0.1 after 0.1");
  refused({{0.0, 1.0, 0.0, true}}, "row 0: epsilon = 0");
  refused({{nan, 1.0, 0.0, true}}, "row 0: epsilon = nan");
  refused({{1.0, -1.0, 0.0, true}}, "negative error -1");
  refused({{1.0, 1.0, -2.0, true}}, "floor -2");
  EXPECT_THROW(fit_order({}, {.max_spread = 0.0}), std::invalid_argument);
  EXPECT_THROW(fit_order({}, {.min_points = 2}), std::invalid_argument);
  EXPECT_THROW(order_trend({}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace rigidlimit
