// Tests the estimate of the remaining time of a study from its finished solves.
#include "rigidlimit/experiment/plan/estimate.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace rigidlimit {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Seconds of a solve, s = 0.01 ε^(−p). The tests use up to ten solves at ε = 1e-1 … 1e-10.
double seconds_of(double p, double epsilon) {
  return 0.01 * std::pow(epsilon, -p);
}
double decade(int k) {
  return std::pow(10.0, -k - 1);
}

TEST(TimeEstimate, ExtrapolatesAPowerOfEpsilon) {
  for (const double p : {0.0, 0.1, 0.5, 1.0}) {
    TimeEstimate time;
    for (int k = 0; k < 10; ++k) time.add("a", decade(k));
    double rest = 0.0;
    for (int k = 0; k < 10; ++k)
      if (k == 0 || k == 5)
        time.finish(static_cast<std::size_t>(k), seconds_of(p, decade(k)));
      else
        rest += seconds_of(p, decade(k));
    const Estimate left = time.left();
    EXPECT_EQ(left.solves, 8);
    EXPECT_EQ(left.unknown, 0);
    // The line through two points is exact up to the rounding of logarithms up to 23.
    EXPECT_NEAR(left.seconds, rest, 1e-12 * rest) << p;
  }
}

TEST(TimeEstimate, HasASlopeBetweenZeroAndThatOfTheCostliestMethod) {
  const auto guess = [](double p, double steepest) {
    TimeEstimate time(steepest);
    for (const double epsilon : {1e-1, 1e-2, 1e-3}) time.add("a", epsilon);
    time.finish(0, seconds_of(p, 1e-1));
    time.finish(1, seconds_of(p, 1e-2));
    return time.left().seconds;
  };
  // The line passes through the mean of the two, 1e-1.5; the last ε is 1.5 decades away.
  EXPECT_NEAR(guess(3.0, 1.0), seconds_of(3.0, std::pow(10.0, -1.5)) * std::pow(10.0, 1.5), 1e-6);
  EXPECT_NEAR(guess(-1.0, 1.0), seconds_of(-1.0, std::pow(10.0, -1.5)), 1e-12);
  EXPECT_NEAR(guess(3.0, 4.0), seconds_of(3.0, 1e-3), 1e-6 * seconds_of(3.0, 1e-3));
}

TEST(TimeEstimate, TakesTheSlopeOfOtherGroupsAfterASingleSolve) {
  TimeEstimate time;
  for (const double epsilon : {1e-1, 1e-3}) time.add("known", epsilon);
  for (const double epsilon : {1e-1, 1e-3}) time.add("dearer", epsilon);
  time.finish(0, seconds_of(0.5, 1e-1));
  time.finish(1, seconds_of(0.5, 1e-3));
  time.finish(2, 7.0);
  EXPECT_NEAR(time.left().seconds, 70.0, 1e-9) << "two decades, p = 1/2";
}

TEST(TimeEstimate, OfIdealRollingIsThatOfEpsilonOne) {
  const auto guess = [](double epsilon) {
    TimeEstimate time;
    for (const double one : {1e-1, 1e-2, epsilon}) time.add("a", one);
    time.finish(0, seconds_of(0.5, 1e-1));
    time.finish(1, seconds_of(0.5, 1e-2));
    return time.left().seconds;
  };
  EXPECT_EQ(guess(0.0), guess(1.0));
  EXPECT_NEAR(guess(0.0), seconds_of(0.5, 1.0), 1e-12);
}

TEST(TimeEstimate, CountsSolvesOfUnknownDuration) {
  TimeEstimate time;
  time.add("rigid", none);
  time.add("a", 1e-2);
  time.add("a", 1e-3);
  EXPECT_EQ(time.left().unknown, 3);
  EXPECT_EQ(time.left().seconds, 0.0);
  time.finish(1, 2.0);
  EXPECT_EQ(time.left().solves, 2);
  EXPECT_EQ(time.left().unknown, 1);
  EXPECT_DOUBLE_EQ(time.left().seconds, 2.0) << "nothing tells a slope";
  time.finish(0, 0.0);
  time.finish(2, 1.0);
  EXPECT_EQ(time.left().solves, 0);
  EXPECT_EQ(time.left().seconds, 0.0);
}

TEST(DurationText, HasAtMostTwoUnits) {
  EXPECT_EQ(duration_text(0.2), "about 0 s");
  EXPECT_EQ(duration_text(59.4), "about 59 s");
  EXPECT_EQ(duration_text(59.6), "about 1 min");
  EXPECT_EQ(duration_text(125.0), "about 2 min 5 s");
  EXPECT_EQ(duration_text(12'000.0), "about 3 h 20 min");
  EXPECT_EQ(duration_text(3599.0 * 24.0), "about 1 d") << "not 23 h 60 min";
  EXPECT_EQ(duration_text(90'000.0 * 365.0), "about 380 d 5 h");
}

}  // namespace
}  // namespace rigidlimit
