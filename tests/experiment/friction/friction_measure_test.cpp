// Tests the norms of the error of a velocity that jumps a little too late, and the sample grid.
#include "rigidlimit/experiment/judge/measure.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/judge/difference.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"

namespace rigidlimit {
namespace {

/// The difference between v = [t > 1/2] and the same jump δ later, on [0, 1].
Motion late_jump(const std::vector<double>& times, double delay) {
  Motion d{.times = times, .q = {}, .v = {}, .lambda = {}};
  const auto count = static_cast<Index>(times.size());
  d.q = d.lambda = MatrixXd::Zero(1, count);
  d.v = MatrixXd::Zero(1, count);
  for (Index k = 0; k < count; ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    d.v(0, k) = t > 0.5 && t <= 0.5 + delay ? 1.0 : 0.0;
  }
  return d;
}

const Measure v_sup{.quantity = Quantity::v};
const Measure v_l1{.quantity = Quantity::v, .norm = Norm::l1};
const Measure v_away{.quantity = Quantity::v, .window = Window::away};

/// The sup norm is 1 for every delay, the L¹ norm is the delay, the norm away from the event is 0.
TEST(Measure, OfALateJumpIsOneInTheSupNormAndSmallInL1) {
  const Windows windows{.events = {0.5}, .margin = 0.05};
  for (const double delay : {1e-2, 1e-3}) {
    const std::vector<double> times =
        friction_grid({.end = 1.0, .samples = 101, .layer_per_decade = 100}, 1.0, delay, {0.5});
    const Motion d = late_jump(times, delay);
    EXPECT_EQ(magnitude(d, v_sup, windows), 1.0);
    // The jump back at 0.5 + delay is resolved to one spacing: 2.3 % of the delay at 100 a decade.
    EXPECT_NEAR(magnitude(d, v_l1, windows), delay, 0.025 * delay);
    EXPECT_EQ(magnitude(d, v_away, windows), 0.0);
    // Negative control: a margin shorter than the delay.
    EXPECT_EQ(magnitude(d, v_away, {.events = {0.5}, .margin = 0.5 * delay}), 1.0);
    EXPECT_NEAR(magnitude(d, {.quantity = Quantity::v, .norm = Norm::l2}, windows),
                std::sqrt(delay), 0.02 * std::sqrt(delay));
  }
}

TEST(Measure, IntegratesOnlyOverTheWindow) {
  // d = 1 on [0, 1] without |t − 1/2| < 1/4: the mean is 1, not 1/2.
  Motion d{.times = uniform_grid(1.0, 101), .q = {}, .v = MatrixXd::Ones(1, 101), .lambda = {}};
  const Windows windows{.events = {0.5}, .margin = 0.25};
  EXPECT_NEAR(magnitude(d, {Quantity::v, Norm::l1, Window::away}, windows), 1.0, 1e-14);
  d.v(0, 50) = 1e3;  // within the margin
  EXPECT_NEAR(magnitude(d, {Quantity::v, Norm::l1, Window::away}, windows), 1.0, 1e-14);
  d.v(0, 10) = std::nan("");
  EXPECT_TRUE(std::isnan(magnitude(d, v_away, windows)));
  EXPECT_TRUE(std::isnan(magnitude(d, v_sup, {.events = {0.5}, .margin = 1.0})) ||
              std::isnan(magnitude(d, v_away, {.events = {0.5}, .margin = 1.0})));
}

TEST(FrictionGrid, EnclosesButExcludesEveryEvent) {
  const std::vector<double> times =
      friction_grid({.end = 1.0, .samples = 5}, 1.0, 1e-3, {0.25, 0.7});
  EXPECT_TRUE(std::ranges::is_sorted(times));
  EXPECT_EQ(times.front(), 0.0);
  EXPECT_EQ(times.back(), 1.0);
  for (const double event : {0.25, 0.7}) {
    EXPECT_THAT(times, testing::Not(testing::Contains(event)));
    EXPECT_THAT(times, testing::Contains(event - Windows::neighbour_distance));
    EXPECT_THAT(times, testing::Contains(event + Windows::neighbour_distance));
  }
  EXPECT_THAT(times, testing::Contains(0.5));
}

// A damper of order ε^-1.5 stops an impact in a time θ far below ε. The peak 1 of s/θ e^(1 − s/θ),
// s = t − 1/2, is found within its bar. Negative control: one sample per decade does not show it.
TEST(FrictionGrid, ResolvesTimesFarBelowEpsilon) {
  const Windows windows{.events = {0.5}, .margin = 0.05};
  for (const double theta : {3e-8, 3e-7, 3e-6}) {
    const auto peak = [&](int per_decade) {
      const std::vector<double> times = friction_grid(
          {.end = 1.0, .samples = 101, .layer_per_decade = per_decade}, 1.0, 1e-3, {0.5});
      Motion d{.times = times, .q = {}, .v = {}, .lambda = {}};
      d.v.setZero(1, std::ssize(times));
      for (Index k = 0; k < d.v.cols(); ++k)
        if (const double s = (times[static_cast<std::size_t>(k)] - 0.5) / theta; s > 0.0)
          d.v(0, k) = s * std::exp(1.0 - s);
      return DifferenceCurve(d, windows).size(v_sup);
    };
    const CurveSize fine = peak(24), coarse = peak(1);
    EXPECT_NEAR(fine.value, 1.0, fine.sampling_error) << theta;
    EXPECT_LT(fine.sampling_error, 1e-3) << theta;
    EXPECT_GT(coarse.sampling_error, 0.01) << theta;
  }
}

TEST(FrictionGrid, ContainsTheEdgesOfTheWindowAway) {
  const FrictionTime time{.end = 1.0, .samples = 5, .margin = 0.0625};
  const Windows windows{.events = {0.25}, .margin = time.margin};
  const std::vector<double> times = friction_grid(time, 1.0, 1e-3, windows.events);
  for (const double edge : {0.1875, 0.3125}) {
    EXPECT_THAT(times, testing::Contains(edge));
    EXPECT_TRUE(windows.contains(Window::away, edge));
  }
}

}  // namespace
}  // namespace rigidlimit
