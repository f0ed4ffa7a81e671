// Tests the accuracy of the formulas for motion under a constant force and linear drag.
#include "rigidlimit/systems/dragged_motion.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/quad.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit {
namespace {

using test::unit_roundoff;

// The closed expression in 113 bits: its error is 2^−113/z² < 1e-17 for z ≥ 1e-8.
Quad precise_position(const DraggedMotion& motion, double t) {
  const Quad k(motion.rate), s(t), z = k * s;
  return Quad(motion.position0) + Quad(motion.speed0) * s +
         Quad(motion.acceleration0) * (z - 1 + exp(Quad(-z))) / (k * k);
}

// All terms are positive: the relative error is that of φ₂ (a dozen roundings) and a few products.
TEST(DraggedMotion, IsAccurateForEveryDrag) {
  const double tolerance = 20.0 * unit_roundoff;
  for (const double rate : {1e-8, 1e-4, 0.01, 0.3, 0.49, 0.51, 2.0, 40.0}) {
    const DraggedMotion motion{.speed0 = 0.4, .acceleration0 = 1.9, .rate = rate};
    for (const double t : {1.0, 2.0, 7.0}) {
      const Quad exact = precise_position(motion, t);
      EXPECT_LE(abs(Quad(motion.position(t)) / exact - 1), Quad(tolerance)) << rate * t;
      // Negative control: the formula in double loses its digits for a weak drag.
      if (rate != 1e-4) continue;
      const double z = rate * t;
      const double plain = 0.4 * t + 1.9 * (z - 1.0 + std::exp(-z)) / (rate * rate);
      EXPECT_GT(abs(Quad(plain) / exact - 1), Quad(1e3 * tolerance));
    }
  }
}

TEST(DraggedMotion, IsUniformlyAcceleratedWithoutDrag) {
  const DraggedMotion motion{.position0 = 0.5, .speed0 = -1.0, .acceleration0 = 2.0, .rate = 0.0};
  EXPECT_EQ(motion.position(3.0), 0.5 - 3.0 + 9.0);
  EXPECT_EQ(motion.speed(3.0), 5.0);
  EXPECT_EQ(motion.acceleration(3.0), 2.0);
}

// x' and x'' are the derivatives of x.
TEST(DraggedMotion, RatesAreDerivativesOfThePosition) {
  const DraggedMotion motion{.position0 = 0.2, .speed0 = 1.5, .acceleration0 = -0.8, .rate = 0.7};
  const auto state = [&](double t) -> VectorXd {
    return Eigen::Vector2d(motion.position(t), motion.speed(t));
  };
  for (const double t : {0.9, 1.3, 1.6}) {  // on both sides of k t = 1
    const auto rate = test::central_difference(state, t, 1.0 / 64.0);
    EXPECT_NEAR(rate.value(0), motion.speed(t), rate.bound);
    EXPECT_NEAR(rate.value(1), motion.acceleration(t), rate.bound);
    EXPECT_GT(std::abs(rate.value(0) - motion.speed(t + 1e-3)), 1e3 * rate.bound);
  }
}

}  // namespace
}  // namespace rigidlimit
