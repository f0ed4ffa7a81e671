// Tests bounds on a convergence series: rows that hold, break or stay undecided, and the messages.
#include "rigidlimit/convergence/bound.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

namespace rigidlimit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Series = std::vector<SeriesPoint>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// e(ε) at ε = 1/2, 1/4, …: powers of two, in which 3 ε² and the like are exact.
Series halved(int count, const std::function<double(double)>& error, double floor = 0.0) {
  Series points;
  for (int k = 1; k <= count; ++k) {
    const double e = std::ldexp(1.0, -k);
    points.push_back({e, error(e), floor, true});
  }
  return points;
}

double three_squares(double e) {
  return 3.0 * e * e;
}

TEST(JudgeBound, HoldsAtTheLimitAndBreaksJustBelow) {
  const Series points = halved(6, three_squares);
  EXPECT_TRUE(judge_bound(points, {.constant = 3.0, .power = 2.0}).held()) << "≤, not <";
  const BoundJudgement below = judge_bound(points, {.constant = 3.0 * (1.0 - 1e-12), .power = 2.0});
  EXPECT_EQ(below.state, BoundState::broken);
  EXPECT_FALSE(below.held());
}

// 3 ε² against 3 ε³: the factor ε⁻¹ is largest, 64, at the smallest ε.
TEST(JudgeBound, OneOrderTooManyBreaksMostAtTheSmallestEpsilon) {
  const BoundJudgement found = judge_bound(halved(6, three_squares), {.constant = 3.0, .power = 3});
  EXPECT_EQ(found.state, BoundState::broken);
  EXPECT_EQ(found.worst, 5u);
  EXPECT_EQ(found.factor, 64.0);
  EXPECT_EQ(found.limit, 3.0 * std::pow(0.5, 18));
  EXPECT_EQ(found.reason, "error 7.324e-04 is 64 times the limit 1.144e-05");
}

TEST(JudgeBound, UsesTheErrorBarOfEachRow) {
  // Limit 1. 0.5 + 0.5 = 1 holds; 0.9 ± 0.2 is undecided; 1.5 ± 0.25 is above the limit.
  const Series points = {{0.5, 0.5, 0.5, true}, {0.25, 0.9, 0.2, true}, {0.125, 1.5, 0.25, true}};
  const Bound one{.constant = 1.0};
  EXPECT_THAT(judge_bound(points, one).rows,
              ElementsAre(BoundState::held, BoundState::undecided, BoundState::broken));
  const BoundJudgement two = judge_bound(std::span(points).first(2), one);
  EXPECT_EQ(two.state, BoundState::undecided);
  EXPECT_FALSE(two.held());
  EXPECT_EQ(two.worst, 1u);
  EXPECT_THAT(two.reason, HasSubstr("error 9.000e-01 ± 2e-01 is 0.9 times the limit 1.000e+00: "
                                    "the error bar is too large to decide"));
  EXPECT_TRUE(judge_bound(std::span(points).first(1), one).held());
  // A measured excess within the bar is undecided too, not broken.
  EXPECT_EQ(judge_bound(Series{{0.5, 1.1, 0.2, true}}, one).state, BoundState::undecided);
}

// 1 and 1 + u, u the unit in the last place of 1: the middle 1 + u/2 and its sum with the radius
// u/2 both round to 1, so that they do not show the upper bound.
TEST(JudgeBound, ComparesTheEndsOfAProvedInterval) {
  constexpr double u = std::numeric_limits<double>::epsilon();
  const Series points{
      {.epsilon = 0.5, .error = 1.0, .floor = 0.5 * u, .proved = ProvedInterval{1.0, 1.0 + u}}};
  EXPECT_TRUE(judge_bound(points, {.constant = 1.0 + u}).held());
  const BoundJudgement within = judge_bound(points, {.constant = 1.0});
  EXPECT_EQ(within.state, BoundState::undecided);
  EXPECT_THAT(within.reason, HasSubstr("error 1.0000000000000001e+00 ± 2e-16 is "));
  EXPECT_EQ(judge_bound(points, {.constant = 1.0 - u}).state, BoundState::broken);
}

TEST(JudgeBound, RowsWithoutANumberOrAnErrorBarDoNotHold) {
  for (const SeriesPoint& hole :
       {SeriesPoint{0.25, nan, 0.0, true}, SeriesPoint{0.25, 0.1, 0.0, false},
        SeriesPoint{0.25, 0.1, nan, true}}) {
    const Series points = {{0.5, 0.5, 0.0, true}, hole, {0.125, 0.1, 0.0, true}};
    const BoundJudgement found = judge_bound(points, {.constant = 1.0});
    EXPECT_EQ(found.state, BoundState::unknown);
    EXPECT_EQ(found.worst, 1u);
    EXPECT_THAT(found.reason,
                testing::AnyOf(HasSubstr("the row failed"), HasSubstr("its error bar is unknown")));
    // Rows outside the interval do not count.
    EXPECT_TRUE(judge_bound(points, {.constant = 1.0, .from = 0.5, .to = 0.3}).held());
  }
  // Broken takes precedence over unknown.
  EXPECT_EQ(
      judge_bound(Series{{0.5, 2.0, 0.0, true}, {0.25, nan, 0.0, true}}, {.constant = 1.0}).state,
      BoundState::broken);
}

TEST(JudgeBound, IntervalAcceptsEitherOrderAndIncludesItsEnds) {
  const Series points = halved(4, [](double) { return 2.0; });  // broken wherever it is covered
  const auto covered = [&](double from, double to) {
    return judge_bound(points, {.constant = 1.0, .from = from, .to = to}).rows;
  };
  const auto middle =
      ElementsAre(BoundState::outside, BoundState::broken, BoundState::broken, BoundState::outside);
  EXPECT_THAT(covered(0.25, 0.125), middle);
  EXPECT_THAT(covered(0.125, 0.25), middle);
  // A series from 0.1 by factors 10^(−1/4) misses 0.01 by its last bit.
  const double rounded = 0.1 * std::pow(10.0, -0.25 * 4.0) * (1.0 + 4e-16);
  EXPECT_TRUE((Bound{.constant = 1.0, .from = 1e-3, .to = 1e-2}.covers(rounded)));
  // Negative control: a distance beyond rounding is outside.
  EXPECT_FALSE((Bound{.constant = 1.0, .from = 1e-3, .to = 1e-2}.covers(1.0001e-2)));
}

TEST(JudgeBound, IntervalWithoutRowsDoesNotHold) {
  const BoundJudgement found =
      judge_bound(halved(4, three_squares), {.constant = 1e9, .from = 1e-9, .to = 1e-8});
  EXPECT_FALSE(found.held());
  EXPECT_FALSE(found.worst);
  EXPECT_EQ(found.reason, "none of 4 rows lies in the interval");
  EXPECT_FALSE(judge_bound({}, {.constant = 1.0}).held());
}

TEST(JudgeBound, RefusesInvalidBoundsAndSeries) {
  const Series points = halved(2, three_squares);
  for (const Bound& bad : {Bound{.constant = 0.0}, Bound{.constant = -1.0}, Bound{.constant = nan},
                           Bound{.constant = INFINITY}, Bound{.constant = 1.0, .power = nan},
                           Bound{.constant = 1.0, .from = -1.0}, Bound{.constant = 1.0, .to = nan}})
    EXPECT_THROW(judge_bound(points, bad), std::invalid_argument);
  EXPECT_THROW(judge_bound(Series{points[1], points[0]}, {.constant = 1.0}), std::invalid_argument);
}

TEST(JudgeBound, ShowsTheSideOfTheLimitInACloseCall) {
  // 1.0004 rounds to "1.00": six digits are shown there.
  EXPECT_THAT(judge_bound(Series{{0.5, 1.0004, 0.0, true}}, {.constant = 1.0}).reason,
              HasSubstr("is 1.0004 times"));
  EXPECT_THAT(judge_bound(Series{{0.5, 2.0, 0.0, true}}, {.constant = 1.0}, "solver error").reason,
              HasSubstr("solver error 2.000e+00 is 2 times"));
}

TEST(BoundText, ContainsTheFormulaAndItsInterval) {
  EXPECT_EQ(text_of({.constant = 10.0, .power = 2.5}), "10 ε^2.5");
  EXPECT_EQ(text_of({.constant = 0.91}), "0.91");
  EXPECT_EQ(text_of({.constant = 0.36, .power = 1.0, .to = 1e-2}), "0.36 ε for ε ≤ 0.01");
  EXPECT_EQ(text_of({.constant = 17.8, .power = 2.0, .from = 1e-2, .to = 1e-4}),
            "17.8 ε² for 0.0001 ≤ ε ≤ 0.01");
}

}  // namespace
}  // namespace rigidlimit
