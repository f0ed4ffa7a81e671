// Tests verdicts on series that do not tend to zero, and on series that are zero.
#include "rigidlimit/convergence/without_order.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/print_verdict.hpp"

namespace rigidlimit {
namespace {

using Series = std::vector<SeriesPoint>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// ε = 0.1, 0.05, …: nine points of K ε^p (1 + a ε).
Series power(double p, double a = 0.0, double floor = 0.0) {
  Series points;
  for (int k = 0; k < 9; ++k) {
    const double e = std::ldexp(0.1, -k);
    points.push_back({e, 0.7 * std::pow(e, p) * (1.0 + a * e), floor, true});
  }
  return points;
}

Verdict control(const Series& points) {
  const Judgement judgement = judge_no_convergence(points, 0.1);
  EXPECT_EQ(judgement.reason.starts_with("does not tend"), judgement.verdict == Verdict::confirmed);
  return judgement.verdict;
}

TEST(JudgeNoConvergence, ConfirmsAConstantErrorAndAGrowingOne) {
  EXPECT_EQ(control(power(0.0)), Verdict::confirmed);
  EXPECT_EQ(control(power(0.0, 0.5)), Verdict::confirmed) << "a constant and what tends to it";
  EXPECT_EQ(control(power(-0.05)), Verdict::confirmed);
  EXPECT_EQ(control(power(-1.0)), Verdict::confirmed) << "diverging";
}

/// Negative control: without the failed row, both are confirmed (above).
TEST(JudgeNoConvergence, ASeriesWithAFailedRowConfirmsNothing) {
  for (const double order : {0.0, -1.0})
    for (const double error : {nan, std::numeric_limits<double>::infinity()}) {
      Series points = power(order);
      points[4].error = error;
      EXPECT_EQ(control(points), Verdict::inconclusive) << order;
    }
}

// Negative control: a converging series is never called non-converging.
TEST(JudgeNoConvergence, NeverConfirmsASeriesThatConverges) {
  for (const double p : {0.25, 0.5, 1.0, 2.0}) EXPECT_EQ(control(power(p)), Verdict::refuted) << p;
  EXPECT_NE(control(power(1.0, 0.0, 1.0)), Verdict::confirmed) << "all under the floor";
  // ε/(ε + ε₀): flat at first, finally of order 1.
  Series late = power(0.0);
  for (SeriesPoint& point : late) point.error = point.epsilon / (point.epsilon + 0.02);
  EXPECT_NE(control(late), Verdict::confirmed);
}

TEST(JudgeEquality, ConfirmsErrorsWithinBarsWithinTheLimit) {
  const Series noise{
      {0.1, 3e-11, 1e-11, true}, {0.05, 0.0, 2e-11, true}, {0.02, 9e-11, 1e-11, true}};
  EXPECT_EQ(judge_equality(noise, 1e-9).verdict, Verdict::confirmed);
  EXPECT_EQ(judge_equality(noise, 1.1e-10).verdict, Verdict::confirmed) << "9e-11 + 1e-11";
  EXPECT_NE(judge_equality(noise, 0.9e-10).verdict, Verdict::confirmed);
}

TEST(JudgeEquality, RefutesADifferenceThatIsEvidence) {
  Series one{{0.1, 3e-11, 1e-11, true}, {0.05, 1.1e-10, 1e-11, true}, {0.02, 1e-11, 1e-11, true}};
  const Judgement judgement = judge_equality(one, 1.0);
  EXPECT_EQ(judgement.verdict, Verdict::refuted);
  EXPECT_THAT(judgement.reason, testing::HasSubstr("ε = 0.05"));
  one[1].error = 0.9e-10;
  EXPECT_EQ(judge_equality(one, 1.0).verdict, Verdict::confirmed);
}

TEST(JudgeEquality, DoesNotTakeWideOrUnknownBarsForEquality) {
  Series one{{0.1, 1e-4, 1e-3, true}};
  EXPECT_EQ(judge_equality(one, 1e-2).verdict, Verdict::confirmed);
  EXPECT_EQ(judge_equality(one, 1e-3).verdict, Verdict::inconclusive);
  one[0].floor = nan;
  EXPECT_EQ(judge_equality(one, 1e-2).verdict, Verdict::inconclusive);
  one[0] = {0.1, nan, nan, true};
  EXPECT_EQ(judge_equality(one, 1e-2).verdict, Verdict::inconclusive);
  one[0] = {0.1, 1e-4, 1e-3, false};
  EXPECT_EQ(judge_equality(one, 1e-2).verdict, Verdict::inconclusive) << "a failed solve";
}

TEST(JudgeEquality, ThrowsWithoutASeriesToJudge) {
  EXPECT_THROW(judge_equality({}, 1.0), std::invalid_argument);
  const Series one{{0.1, 0.0, 0.0, true}};
  EXPECT_THROW(judge_equality(one, 0.0), std::invalid_argument);
  EXPECT_THROW(judge_equality(one, nan), std::invalid_argument);
}

// A single row decides: error + floor at the limit and a step above.
TEST(JudgeLimit, IsDecidedByTheWorstRow) {
  Series two{{0.1, 0.75, 0.25, true}, {0.05, 1e-9, 1e-10, true}};
  EXPECT_EQ(judge_limit(two, 1.0).verdict, Verdict::confirmed);
  EXPECT_EQ(judge_limit(two, std::nextafter(1.0, 0.0)).verdict, Verdict::inconclusive);
  EXPECT_EQ(judge_limit(two, 0.5).verdict, Verdict::inconclusive) << "error - floor at the limit";
  EXPECT_EQ(judge_limit(two, 0.4).verdict, Verdict::refuted);
  two[1].floor = nan;
  EXPECT_EQ(judge_limit(two, 1.0).verdict, Verdict::inconclusive) << "an unknown floor";
  two[1] = {0.05, nan, nan, false};
  EXPECT_EQ(judge_limit(two, 1.0).verdict, Verdict::inconclusive) << "a failed solve";
  EXPECT_THROW(judge_limit(two, 0.0), std::invalid_argument);
}

}  // namespace
}  // namespace rigidlimit
