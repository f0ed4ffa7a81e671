// Tests the coefficient of restitution of a damper against a simulation of the contact.
#include "rigidlimit/mechanics/restitution.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {
namespace {

/// x'' + 2ζ x' + x = 0 from (0, 1) in steps of Taylor's series, in long double.
struct HalfSine {
  long double zeta;
  long double x = 0.0L, rate = 1.0L;

  HalfSine after(long double h) const {
    HalfSine next{zeta, 0.0L, 0.0L};
    long double a = x, b = rate;  // the derivatives k and k + 1, times h^k/k! and h^k/k!
    for (int k = 0; k < 40; ++k) {
      next.x += a;
      next.rate += b;
      const long double c = -(a + 2.0L * zeta * b);
      const long double weight = h / static_cast<long double>(k + 1);
      a = b * weight;
      b = c * weight;
    }
    return next;
  }
  long double force() const { return x + 2.0L * zeta * rate; }  // on the body, against x

  /// The speed at which the force vanishes.
  long double exit_speed() const {
    const long double h = 1.0L / 128.0L / (1.0L + zeta);
    HalfSine at = *this;
    while (at.after(h).force() > 0.0L) at = at.after(h);
    long double low = 0.0L, high = h;
    for (int k = 0; k < 70; ++k) {
      const long double middle = 0.5L * (low + high);
      (at.after(middle).force() > 0.0L ? low : high) = middle;
    }
    return -at.after(low).rate;
  }
};

// The reference has 64 bits and some 10³ steps: 1e-16. The formula has about 10 roundings of ln e.
TEST(Restitution, IsTheSpeedAtVanishingContactForce) {
  for (const double zeta : {0.0, 0.01, 0.3, 0.5, 0.7, M_SQRT1_2, 0.71, 0.9, 0.999, 1.0 - 1e-9, 1.0,
                            1.0 + 1e-9, 1.001, 1.5, 3.0, 10.0}) {
    const double e = restitution_of_damping(zeta);
    const double direct = static_cast<double>(HalfSine{zeta}.exit_speed());
    const double tolerance = 1e-15 * (2.0 - 5.0 * std::log(e)) * e;
    EXPECT_NEAR(e, direct, tolerance) << "zeta = " << zeta;
    // Negative control: a contact that may pull, and ends at x = 0, has another coefficient.
    if (zeta > 0.0 && zeta < 1.0) {
      const double pulling = std::exp(-M_PI * zeta / std::sqrt(1.0 - zeta * zeta));
      EXPECT_GT(std::abs(pulling - e), 1e3 * tolerance) << "zeta = " << zeta;
    }
  }
}

TEST(Restitution, HasTheBranchesOfTheTheory) {
  const auto below = [](double z) {
    const double s = std::sqrt(1.0 - z * z);
    return std::exp(-z / s * (M_PI - std::atan(2.0 * z * s / (1.0 - 2.0 * z * z))));
  };
  const auto between = [](double z) {
    const double s = std::sqrt(1.0 - z * z);
    return std::exp(-z / s * std::atan2(2.0 * z * s, 2.0 * z * z - 1.0));
  };
  const auto above = [](double z) {
    const double s = std::sqrt(z * z - 1.0);
    return std::exp(-z / s * std::log((z + s) / (z - s)));
  };
  EXPECT_NEAR(restitution_of_damping(0.4), below(0.4), 1e-15);
  EXPECT_NEAR(restitution_of_damping(0.85), between(0.85), 1e-15);
  EXPECT_NEAR(restitution_of_damping(1.7), above(1.7), 1e-15);
  EXPECT_EQ(restitution_of_damping(1.0), std::exp(-2.0));
  // The formulas lose digits where the branches meet; this does not: |e'| < 0.4 at both places.
  for (const double z : {M_SQRT1_2, 1.0})
    for (const double step : {1e-15, 1e-13, 1e-12})
      EXPECT_NEAR(restitution_of_damping(z - step), restitution_of_damping(z + step),
                  0.8 * step + 4e-16);
}

TEST(Restitution, FallsStrictly) {
  double last = restitution_of_damping(0.0);
  EXPECT_EQ(last, 1.0);
  for (double zeta = 1e-6; zeta < 1e6; zeta *= 1.01) {
    const double e = restitution_of_damping(zeta);
    ASSERT_LT(e, last) << "zeta = " << zeta;
    last = e;
  }
  EXPECT_NEAR(4.0 * last * 1e12, 1.0, 0.05);  // 1/(4ζ²), the last ζ within 1 % of 1e6
}

// ζ(e(ζ)) = ζ: e is rounded by 2^-53. The inverse amplifies this by (e/ζ)/|e'| = 1/|d ln e/d ln ζ|:
// 1/(πζ) near 0, ½ above. Beside it the test requires 1e-14.
TEST(Restitution, InverseRecoversTheDampingTo1em14) {
  for (double zeta = 1e-3; zeta < 1e8; zeta *= 1.37) {
    const double e = restitution_of_damping(zeta);
    const double amplified = 4.0 * 0x1p-53 * std::max(1.0, 1.0 / (M_PI * zeta));
    EXPECT_NEAR(damping_of_restitution(e) / zeta, 1.0, 1e-14 + amplified) << "zeta = " << zeta;
  }
  for (const double e : {1e-300, 1e-20, 1e-3, 0.1, 0.3, 0.5, 0.9, 0.999})
    EXPECT_NEAR(restitution_of_damping(damping_of_restitution(e)) / e, 1.0, 1e-14) << "e = " << e;
  // e = 1 − 2^-53 is an exact number: ζ = −ln e/π there, to the last digits.
  EXPECT_NEAR(damping_of_restitution(1.0 - 0x1p-53) / (0x1p-53 / M_PI), 1.0, 1e-14);
  EXPECT_EQ(damping_of_restitution(1.0), 0.0);
  // Negative control: the well-known ln e/√(π² + ln² e), of a contact that may pull.
  const double log_e = std::log(0.5);
  EXPECT_GT(std::abs(damping_of_restitution(0.5) + log_e / std::hypot(M_PI, log_e)), 0.01);
}

TEST(Restitution, RefusesValuesOfNoDamper) {
  for (const double e : {0.0, -0.1, 1.1, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(damping_of_restitution(e), InputError) << "e = " << e;
  EXPECT_THROW(restitution_of_damping(-1e-3), InputError);
  EXPECT_THROW(restitution_of_damping(std::numeric_limits<double>::quiet_NaN()), InputError);
}

}  // namespace
}  // namespace rigidlimit
