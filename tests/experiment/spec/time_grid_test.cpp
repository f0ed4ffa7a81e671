// Tests the sample times of a study: the grid of each ε, unions of grids, and switches.
#include "rigidlimit/experiment/spec/time_grid.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rigidlimit {
namespace {

const std::vector<double> ends{2.0, 1.0, 0.1, 0.7, 3.3, 1e-3, 12345.678, 0.3};
const std::vector<double> epsilons{1.0, 0.1, 0.06, 0.03, 1e-2, 3.7e-3, 1e-4, 1e-8};

TEST(TimeGrid, RunsFromZeroToTheEndExactlyAndIncreases) {
  for (const double end : ends)
    for (const int samples : {2, 3, 11, 100, 401})
      for (const double epsilon : epsilons) {
        const auto times = grid_for({.end = end, .samples = samples}, epsilon);
        EXPECT_EQ(times.front(), 0.0);
        EXPECT_EQ(times.back(), end) << samples << " samples, ε = " << epsilon;
        // A solver must distinguish all times: they are at least 1e-12 T apart.
        for (std::size_t k = 1; k < times.size(); ++k)
          ASSERT_GT(times[k] - times[k - 1], 1e-12 * end) << "T = " << end << ", ε = " << epsilon;
      }
}

TEST(TimeGrid, ResolvesEveryLayerEqually) {
  // The layer depends on τ = t/ε: at least 200 samples in 0 ≤ τ ≤ 20, and no gap wider than 20/200.
  // The peak of τ exp(−τ), curvature 1/e, is then sampled within 5e-4 of its height.
  const TimeGrid grid{.end = 2.0};
  for (const double epsilon : {0.1, 0.01, 1e-3, 1e-6, 1e-9}) {
    const auto times = grid_for(grid, epsilon);
    const auto last = std::ranges::upper_bound(times, 20.0 * epsilon * (1.0 + 1e-12));
    EXPECT_GE(last - times.begin(), 200) << epsilon;
    for (auto t = times.begin() + 1; t != last; ++t) EXPECT_LE((*t - t[-1]) / epsilon, 0.1);
  }
}

TEST(TimeGrid, KeepsTheUniformSamples) {
  const auto times = grid_for({.end = 2.0, .samples = 41}, 1e-3);
  for (int k = 0; k <= 40; ++k) {
    // The tolerance is the resolution: a layer sample at the same time replaces the uniform one.
    const double wanted = 0.05 * k;
    const auto next = std::ranges::lower_bound(times, wanted - 2e-12);
    ASSERT_NE(next, times.end());
    EXPECT_NEAR(*next, wanted, 3e-12);
  }
}

TEST(TimeGrid, EndsWithTheIntervalForALargeEpsilon) {
  for (const double end : ends) EXPECT_EQ(grid_for({.end = end}, 10.0 * end).back(), end);
}

TEST(UnionOfGrids, ContainsEveryTimeBitForBit) {
  for (const double end : ends) {
    std::vector<std::vector<double>> grids;
    for (const double epsilon : epsilons) grids.push_back(grid_for({.end = end}, epsilon));
    const auto all = union_of(grids);
    EXPECT_TRUE(std::ranges::is_sorted(all, std::less_equal{})) << "strictly increasing";
    std::size_t count = 0;
    for (const auto& grid : grids) {
      const auto positions = positions_in(all, grid);
      ASSERT_EQ(positions.size(), grid.size());
      for (std::size_t k = 0; k < grid.size(); ++k) EXPECT_EQ(all[positions[k]], grid[k]);
      count += grid.size();
    }
    EXPECT_LT(all.size(), count) << "shared times are there once";
    EXPECT_EQ(all.front(), 0.0);
    EXPECT_EQ(all.back(), end);
  }
}

TEST(UnionOfGrids, IsEmptyWithoutGrids) {
  EXPECT_TRUE(union_of({}).empty());
  EXPECT_TRUE(positions_in({}, {}).empty());
}

TEST(PositionsIn, RefusesAMissingTime) {
  EXPECT_THROW(positions_in({0.0, 1.0}, {0.5}), std::logic_error);
  EXPECT_THROW(positions_in({0.0, 1.0}, {std::nextafter(1.0, 2.0)}), std::logic_error);
}

// A limit on [0, T/ε^s]: the end depends on the stretch, the layer does not.
TEST(GridFor, StretchesTheIntervalWithEpsilon) {
  const TimeGrid grid{.end = 2.0, .stretch = 1.0, .samples = 11, .layer_samples = 3};
  EXPECT_EQ(grid_for(grid, 0.25).back(), 8.0);
  EXPECT_EQ(grid_for(grid, 0.125).back(), 16.0);
  EXPECT_THAT(grid_for(grid, 0.125), testing::Contains(20.0 * 0.125)) << "the end of the layer";
  const TimeGrid fixed{.end = 2.0, .samples = 11, .layer_samples = 3};
  EXPECT_EQ(grid_for(fixed, 0.125).back(), 2.0) << "the negative control";
}

TEST(GridFor, HasTheEndsOnlyWhereStepsAreCounted) {
  const TimeGrid grid{.end = 2.0, .stretch = 1.0, .end_only = true};
  EXPECT_THAT(grid_for(grid, 0.25), testing::ElementsAre(0.0, 8.0));
  EXPECT_THAT(grid_for(grid, 0.25, {.switches = {0.5}}), testing::ElementsAre(0.0, 8.0))
      << "with a switch";
}

// A switch has two samples, one unit in the last place apart, followed by the samples of a layer.
TEST(TimeGrid, ResolvesBothSidesOfASwitchAndTheLayerAfterIt) {
  const double t = 0.513, epsilon = 1e-3;
  const auto with = grid_for({.end = 2.0}, epsilon, {.switches = {t}}),
             without = grid_for({.end = 2.0}, epsilon);
  EXPECT_TRUE(std::ranges::adjacent_find(with, std::ranges::greater_equal{}) == with.end());
  const auto at = std::ranges::find(with, t);
  ASSERT_NE(at, with.end());
  EXPECT_EQ(*(at - 1), std::nextafter(t, 0.0));
  const auto in_layer = [&](const std::vector<double>& times) {
    return std::ranges::count_if(times, [&](double x) { return x > t && x <= t + 20.0 * epsilon; });
  };
  EXPECT_GE(in_layer(with), 240);
  EXPECT_LT(in_layer(without), 10) << "the negative control";
}

// The beginning of the window "after" is a sample of every grid: bit by bit, also beside a switch,
// whose two samples stay. Negative control: 0.4567 is no sample of the grid without it.
TEST(TimeGrid, ContainsTheBeginningOfTheWindowAfter) {
  for (const double epsilon : {1e-1, 3.2e-3, 1e-5})
    for (const double after : {0.4567, 0.5, 0.513 + 1e-9}) {
      const auto times = grid_for({.end = 2.0}, epsilon, {.switches = {0.513}, .after = after});
      EXPECT_THAT(times, testing::Contains(after));
      EXPECT_THAT(times, testing::Contains(0.513));
      EXPECT_THAT(times, testing::Contains(std::nextafter(0.513, 0.0)));
    }
  EXPECT_THAT(grid_for({.end = 2.0}, 3.2e-3), testing::Not(testing::Contains(0.4567)));
}

// All samples are 1e-12 T apart, but for the two limits at a switch. Switches closer than that are
// one pair of samples.
TEST(TimeGrid, KeepsSamplesApart) {
  const std::vector<double> switches{0.3, 0.3 + 1e-13, 0.3 + 5e-12, 0.513};
  const auto times =
      grid_for({.end = 2.0}, 1e-3, {.switches = switches, .after = 0.3 + 2e-13, .ringing = {}});
  int pairs = 0;
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    if (times[k] == std::nextafter(times[k + 1], 0.0))
      ++pairs;
    else
      EXPECT_GT(times[k + 1] - times[k], 1.9e-12);
  }
  EXPECT_EQ(pairs, 3);
}

// A ringing contact has Ringing::per_period samples a period until it has decayed, after the start
// and after a switch, and no more than Ringing::most.
TEST(TimeGrid, ResolvesTheRingingOfAContact) {
  const double period = 1e-3;
  const auto widest = [&](const std::vector<double>& times, double from, double to) {
    double gap = 0.0;
    for (std::size_t k = 0; k + 1 < times.size(); ++k)
      if (times[k] >= from && times[k + 1] <= to) gap = std::max(gap, times[k + 1] - times[k]);
    return gap;
  };
  const Ringing ringing{.period = period, .duration = 0.3};
  const auto times = grid_for({.end = 2.0}, 1e-3, {.switches = {1.0}, .ringing = ringing});
  const double wanted = period / Ringing::per_period * (1.0 + 1e-9);
  EXPECT_LE(widest(times, 0.0, 0.299), wanted);
  EXPECT_LE(widest(times, 1.0, 1.299), wanted);
  EXPECT_GT(widest(times, 0.3, 1.0), 2.0 * wanted) << "the negative control";
  const auto endless =
      grid_for({.end = 2.0}, 1e-3, {.ringing = Ringing{.period = 1e-9, .duration = 1e3}});
  EXPECT_LE(std::ssize(endless), Ringing::most + 2000);
}

}  // namespace
}  // namespace rigidlimit
