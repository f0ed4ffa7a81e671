// Tests the nonholonomic particle: its closed form and its conserved quantities.
#include "rigidlimit/systems/rolling/nonholonomic_particle.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "support/catalogued_system.hpp"
#include "support/closed_form_residual.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector3d;
using test::system_of;
using test::unit_roundoff;

InitialState kept(double z, double x_rate, double z_rate) {
  return {Vector3d(0.4, -0.3, z), Vector3d(x_rate, z * x_rate, z_rate)};
}

std::vector<NonholonomicParticle> particles() {
  return {NonholonomicParticle{}, NonholonomicParticle{.force_x = 0.0},
          NonholonomicParticle{.mass = 2.5, .force_x = -1.7}};
}

TEST(NonholonomicParticleClosedForm, SatisfiesTheEquationsOfMotion) {
  for (const NonholonomicParticle& sys : particles()) {
    const System system = system_of(sys);
    for (const InitialState& start :
         {kept(0.5, 0.8, 1.2), kept(-2.0, 0.8, 1.2), kept(1.0, -0.4, -0.9), kept(0.0, 1.0, 0.2)})
      EXPECT_LE(test::worst_residual(system, system, start), 1.0);
  }
}

TEST(NonholonomicParticleClosedForm, OfAnotherParticleViolatesTheEquationsOfMotion) {
  const NonholonomicParticle sys;
  const System system = system_of(sys);
  const InitialState start = kept(0.5, 0.8, 1.2);
  EXPECT_GT(test::worst_residual(system, system, start, -1.0), 1e3);
  for (const NonholonomicParticle& other :
       {NonholonomicParticle{.mass = 1.0001}, NonholonomicParticle{.force_x = 0.5001}})
    EXPECT_GT(test::worst_residual(system, system_of(other), start), 1e3);
}

// The free particle: z', sqrt(1 + z²) x' and the energy are constant, to ten roundings of numbers
// below 4.
TEST(NonholonomicParticleClosedForm, ConservesSpeedInThePlaneFieldWithoutForce) {
  const NonholonomicParticle free{.force_x = 0.0};
  const InitialState start = kept(0.5, 0.8, 1.2);
  const double speed = std::hypot(1.0, 0.5) * 0.8;
  for (const double t : {0.4, 1.0, 3.0}) {
    const Motion motion = free.closed_form(start, {t}).value();
    const double z = motion.q(2, 0);
    EXPECT_EQ(motion.v(2, 0), 1.2);
    EXPECT_NEAR(std::hypot(1.0, z) * motion.v(0, 0), speed, 16.0 * unit_roundoff);
    EXPECT_NEAR(motion.v.col(0).squaredNorm(), start.v.squaredNorm(), 64.0 * unit_roundoff);
    // Negative control: x' alone is not constant.
    EXPECT_GT(std::abs(motion.v(0, 0) - 0.8), 0.05);
  }
}

// K* − f x is constant: only the constant force does work.
TEST(NonholonomicParticleClosedForm, GainsTheWorkOfTheForce) {
  const NonholonomicParticle sys;
  const InitialState start = kept(0.5, 0.8, 1.2);
  const Motion motion = sys.closed_form(start, {2.0}).value();
  const double gained = 0.5 * (motion.v.col(0).squaredNorm() - start.v.squaredNorm());
  const double work = sys.force_x * (motion.q(0, 0) - start.q(0));
  EXPECT_NEAR(gained, work, 64.0 * 4.0 * unit_roundoff);
  EXPECT_GT(work, 0.1);  // negative control: the energy is not constant
}

TEST(NonholonomicParticleClosedForm, IsAbsentForASlowClimb) {
  const NonholonomicParticle sys;
  EXPECT_FALSE(sys.closed_form(kept(0.5, 0.8, 0.0), {0.0, 1.0}).has_value());
  EXPECT_TRUE(sys.closed_form(kept(0.5, 0.8, 0.1), {0.0, 1.0}).has_value());
}

}  // namespace
}  // namespace rigidlimit
