// Tests the measurement of solve times with an unreliable clock.
#include "rigidlimit/experiment/benchmark/timing.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "support/sample_benchmark.hpp"

namespace rigidlimit {
namespace {

/// One finished trial of the logistic equation.
BenchmarkResult one_trial() {
  Benchmark benchmark = test::equal_steps({"radau_iia_3"});
  benchmark.steps.resize(1);
  BenchmarkResult result = run_benchmark(benchmark, test::logistic(1.0));
  result.benchmark.repeats = 3;
  result.benchmark.most_seconds = 10.0;
  return result;
}

/// A clock with pairs of readings `seconds` apart; in every `standstill`-th pair both are equal.
Clock clock_of(double seconds, int standstill) {
  return [seconds, standstill, now = 0.0, readings = 0]() mutable {
    const int pair = readings / 2;
    if (readings++ % 2 == 1 && pair % standstill != 0) now += seconds;
    return now;
  };
}

// Solves of 1e-4 s are repeated up to ten times in each of three rounds. The clock stands still in
// every third repetition. The other readings are 1e-4 s, up to the rounding of a sum of thirty.
TEST(TakeTimes, RepetitionsWithAStandingClockAreNotCounted) {
  BenchmarkResult result = one_trial();
  ASSERT_EQ(result.trials.size(), 1u);
  take_times(result, 0, 1, {}, clock_of(1e-4, 3));
  const Trial& trial = result.trials.front();
  EXPECT_NEAR(trial.seconds, 1e-4, 1e-16);
  EXPECT_NEAR(trial.seconds_median, 1e-4, 1e-16);
  EXPECT_GE(trial.repeats, 10);
  EXPECT_LE(trial.repeats, 20) << "a third of at most thirty is not counted";
}

TEST(TakeTimes, AClockThatNeverMovesGivesNoTime) {
  BenchmarkResult result = one_trial();
  take_times(result, 0, 1, {}, [] { return 1.0; });
  EXPECT_TRUE(std::isnan(result.trials.front().seconds));
  EXPECT_EQ(result.trials.front().repeats, 0);
}

TEST(TakeTimes, ADurationIsPositiveAndFinite) {
  EXPECT_TRUE(is_duration(1e-9));
  for (const double none : {0.0, -1e-9, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_FALSE(is_duration(none)) << none;
}

}  // namespace
}  // namespace rigidlimit
