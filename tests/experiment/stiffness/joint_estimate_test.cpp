// Tests the formulas of a soft joint against the motions that they are about.
#include "rigidlimit/experiment/stiffness/joint_estimate.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/given_unit.hpp"

namespace rigidlimit {
namespace {

/// The state (g, g') after steps of semi-implicit Euler from g = 1.
double size_after_steps(const JointEstimate& e, double h, int steps) {
  double g = 1.0, w = 0.0;
  for (int i = 0; i < steps; ++i) {
    w -= h * (e.stiffness * g + e.damping * w) / e.question.mass;
    g += h * w;
  }
  return std::abs(g) + std::abs(w) / std::sqrt(e.stiffness / e.question.mass);
}

TEST(JointEstimate, TheStepOfEulerIsItsLimitOfStability) {
  for (const double ratio : {0.0, 0.1, 0.7, 1.0, 3.0}) {
    const JointEstimate e =
        estimated_joint({.mass = 2.0, .load = 3.0, .damping_ratio = ratio, .stiffness = 500.0});
    EXPECT_LT(size_after_steps(e, 0.99 * e.euler_step, 4000), 20.0) << ratio;
    EXPECT_FALSE(size_after_steps(e, 1.01 * e.euler_step, 4000) < 1e6) << ratio;  // or overflows
  }
}

/// m g'' + c g' + k g = Λ from rest, by steps far below every time scale: the error of
/// semi-implicit Euler is a few steps' part of a period, 1e-3.
TEST(JointEstimate, ASuddenLoadOvershoots) {
  for (const double ratio : {0.1, 0.5, 1.0, 2.0}) {
    const JointEstimate e =
        estimated_joint({.mass = 2.0, .load = 3.0, .damping_ratio = ratio, .frequency = 10.0});
    const double h = 1e-4 / e.frequency;
    double g = 0.0, w = 0.0, largest = 0.0;
    for (int i = 0; i < 100000; ++i) {
      w += h * (3.0 - e.stiffness * g - e.damping * w) / 2.0;
      g += h * w;
      largest = std::max(largest, g);
    }
    EXPECT_NEAR(largest / e.sudden_gap, 1.0, 2e-3) << ratio;
    EXPECT_NEAR(g / e.gap, 1.0, 1e-2) << ratio;
  }
}

TEST(JointEstimate, APendulumFromTheHorizontalNeedsThreeTimesItsWeight) {
  const JointEstimate e = estimated_joint({.mass = 1.0, .load = 3.0 * 9.81, .gap = 1e-4});
  EXPECT_DOUBLE_EQ(e.stiffness, 2.943e5);
  EXPECT_DOUBLE_EQ(e.gap, 1e-4);
  EXPECT_DOUBLE_EQ(e.damping, 2.0 * std::sqrt(2.943e5));
  const JointEstimate same = estimated_joint({.load = 3.0 * 9.81, .frequency = e.frequency});
  EXPECT_NEAR(same.stiffness, e.stiffness, 1e-9 * e.stiffness);
}

std::string place_of_refusal(const JointQuestion& question) {
  try {
    estimated_joint(question);
  } catch (const InputError& error) {
    return error.where();
  }
  return "";
}

TEST(JointEstimate, RefusesNumbersThatAreNone) {
  EXPECT_EQ(place_of_refusal({.mass = 0.0, .stiffness = 1.0}), "mass");
  EXPECT_EQ(place_of_refusal({.load = -1.0, .stiffness = 1.0}), "load");
  EXPECT_EQ(place_of_refusal({.load = 0.0, .gap = 1.0}), "load");
  EXPECT_EQ(place_of_refusal({.damping_ratio = std::nan(""), .stiffness = 1.0}), "damping_ratio");
  EXPECT_EQ(place_of_refusal({.load = 1.0}), "gap");
  EXPECT_EQ(place_of_refusal({.load = 1.0, .gap = 1.0, .stiffness = 1.0}), "gap");
  EXPECT_EQ(place_of_refusal({.load = 1.0, .frequency = 0.0}), "frequency");
  EXPECT_EQ(place_of_refusal({.load = 1.0, .gap = 1.0}), "") << "negative control";
}

TEST(JointEstimate, SizesHaveUnits) {
  EXPECT_DOUBLE_EQ(quantity_in_si("0.1mm", "m"), 1e-4);
  EXPECT_DOUBLE_EQ(quantity_in_si("2 kN", "N"), 2000.0);
  EXPECT_DOUBLE_EQ(quantity_in_si("3", "N"), 3.0);
  EXPECT_THROW(quantity_in_si("3 m", "N"), InputError);
  EXPECT_THROW(quantity_in_si("soft", "N"), InputError);
  EXPECT_THROW(quantity_in_si("", "N"), InputError);
}

}  // namespace
}  // namespace rigidlimit
