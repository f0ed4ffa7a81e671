// Tests the Chaplygin sleigh: its equations by another route, its closed form, and the sign of a.

#include <gmock/gmock.h>

#include <cmath>

#include "support/built_in.hpp"
#include "support/catalogued_system.hpp"
#include "support/closed_form_check.hpp"
#include "support/lagrangian_sleigh.hpp"
#include "support/random_numbers.hpp"
#include "support/terms_by_duals.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::system_of;
using test::unit_roundoff;

struct ChaplyginSleigh : test::BuiltIn {
  ChaplyginSleigh(const Values& values = {}) : BuiltIn("chaplygin_sleigh", values) {}
};

InitialState rolling_start(double x, double y, double phi, double u, double omega) {
  return {Eigen::Vector3d(x, y, phi), Eigen::Vector3d(u * std::cos(phi), u * std::sin(phi), omega)};
}

std::vector<InitialState> starts() {
  return {rolling_start(0.0, 0.0, 0.0, 0.5, 1.5),    // the default
          rolling_start(1.5, -2.0, 0.9, 0.5, 1.5),   // turned, not at the origin
          rolling_start(-1.0, 0.5, 2.5, -0.8, 1.1),  // backwards
          rolling_start(0.3, 0.1, -1.2, 0.4, -1.7),  // turning to the right
          rolling_start(0.0, 0.0, 0.4, 0.0, -0.9)};  // on the spot
}

std::vector<ChaplyginSleigh> sleighs() {
  return {ChaplyginSleigh{}, ChaplyginSleigh{{{"distance", -0.4}}},
          ChaplyginSleigh{{{"mass", 2.5}, {"inertia", 0.3}, {"distance", 0.15}}},
          ChaplyginSleigh{{{"mass", 0.7}, {"inertia", 0.9}, {"distance", -0.6}}}};
}

// Twelve operations on numbers below 20.
TEST(ChaplyginSleigh, GivenMatricesAreThoseOfItsLagrangian) {
  RandomNumbers random(51);
  for (const ChaplyginSleigh& sys : sleighs()) {
    const test::LagrangianSleigh peer{sys("mass"), sys("inertia"), sys("distance")};
    const test::LagrangianSleigh mirrored{sys("mass"), sys("inertia"), -sys("distance")};
    for (int i = 0; i < 50; ++i) {
      const Eigen::Vector3d q = random.vector<3>(-3.0, 3.0), v = random.vector<3>(-2.0, 2.0);
      const double tolerance = 12.0 * 20.0 * unit_roundoff;
      EXPECT_LE((sys.mass_matrix(q) - mass_matrix(peer, q)).cwiseAbs().maxCoeff(), tolerance);
      EXPECT_LE((sys.force(q, v) - force(peer, q, v, 0.0)).cwiseAbs().maxCoeff(), tolerance);
      // Negative control: a centre of mass behind the blade gives another system.
      EXPECT_GT((sys.mass_matrix(q) - mass_matrix(mirrored, q)).norm(), 0.1);
    }
  }
}

TEST(ChaplyginSleighClosedForm, SatisfiesTheEquationsOfMotion) {
  for (const ChaplyginSleigh& sys : sleighs())
    for (const InitialState& start : starts())
      for (double t = 0.2; t < 6.0; t += 0.53) {
        const auto left = test::unbalance_of(system_of(sys), system_of(sys), start, t);
        EXPECT_TRUE(left.explained()) << "t = " << t << ": " << left.rate << " " << left.balance
                                      << " " << left.sliding << ", bound " << left.rate_bound;
        EXPECT_LT(left.balance_bound, 1e-8);  // the check is sharp
      }
}

TEST(ChaplyginSleighClosedForm, OfAnotherSystemViolatesTheEquationsOfMotion) {
  const ChaplyginSleigh sys;
  const InitialState start = starts()[1];
  const auto explained = [&](const ChaplyginSleigh& other, double sign) {
    return test::unbalance_of(system_of(other), system_of(sys), start, 1.0, sign).explained();
  };
  EXPECT_TRUE(explained(sys, 1.0));
  EXPECT_FALSE(explained(sys, -1.0));
  EXPECT_FALSE(explained(ChaplyginSleigh{{{"distance", -0.4}}}, 1.0));
  EXPECT_FALSE(explained(ChaplyginSleigh{{{"distance", 0.4001}}}, 1.0));
  EXPECT_FALSE(explained(ChaplyginSleigh{{{"inertia", 0.5001}}}, 1.0));
}

// q and ω are exact up to the rounding of (E/k) sech s0. u comes from tanh(asinh): its argument
// s0 ≤ 3 carries four roundings, which E tanh and (E/k) sech amplify by less than 3 · 3.
TEST(ChaplyginSleighClosedForm, ReproducesItsInitialData) {
  for (const ChaplyginSleigh& sys : sleighs())
    for (const InitialState& start : starts()) {
      const Motion motion = sys.closed_form(start, {0.0}).value();
      EXPECT_EQ(motion.q.col(0), start.q);
      EXPECT_LE((motion.v.col(0) - start.v).cwiseAbs().maxCoeff(), 4.0 * 9.0 * unit_roundoff);
    }
}

// The position is the same on coarse and fine grids: quadrature error and accumulation stay below
// the round-off of a sum of 200 steps.
TEST(ChaplyginSleighClosedForm, PositionDoesNotDependOnTheGrid) {
  std::vector<double> fine;
  for (int k = 0; k <= 200; ++k) fine.push_back(0.05 * k);
  for (const ChaplyginSleigh& sys : sleighs())
    for (const InitialState& start : starts()) {
      const Motion coarse = sys.closed_form(start, {fine.back()}).value();
      const Motion dense = sys.closed_form(start, fine).value();
      const double size = dense.q.cwiseAbs().maxCoeff();
      EXPECT_LE((coarse.q.col(0) - dense.q.rightCols(1)).cwiseAbs().maxCoeff(),
                200.0 * unit_roundoff * size);
    }
}

// The kinetic energy is conserved, and at the end the centre of mass is ahead: u → +E for a > 0,
// −E for a < 0, from every start (s grows by a E t/k² ≥ 30 here).
TEST(ChaplyginSleighClosedForm, EndsWithTheCentreOfMassAhead) {
  for (const ChaplyginSleigh& sys : sleighs())
    for (const InitialState& start : starts()) {
      const Motion motion = sys.closed_form(start, {0.0, 2.0, 400.0}).value();
      const auto energy = [&](Index k) {
        return mechanical_energy(system_of(sys), Eigen::Vector3d(motion.q.col(k)),
                                 Eigen::Vector3d(motion.v.col(k)));
      };
      EXPECT_NEAR(energy(1), energy(0), 64.0 * unit_roundoff * energy(0));
      EXPECT_NEAR(energy(2), energy(0), 64.0 * unit_roundoff * energy(0));
      const double phi = motion.q(2, 2);
      const double u = motion.v(0, 2) * std::cos(phi) + motion.v(1, 2) * std::sin(phi);
      const double final_speed = std::sqrt(2.0 * energy(0) / sys("mass"));
      EXPECT_NEAR(u, std::copysign(final_speed, sys("distance")), 1e-12);
    }
}

/// u' = d/dt (v·e) on the constraint, from the KKT acceleration.
double forward_acceleration(const ChaplyginSleigh& sys, double u, double omega, double phi) {
  const InitialState start = rolling_start(0.0, 0.0, phi, u, omega);
  const Eigen::Vector3d a = test::kkt_at(system_of(sys), start.q, start.v).acceleration;
  // e' = ω n and v·n = 0: only the acceleration along e contributes.
  return a(0) * std::cos(phi) + a(1) * std::sin(phi);
}

// Sign of the acceleration (docs/theory.md, section 8). The centre of mass, at a e from the blade,
// feels only the lateral contact force, so its acceleration along e vanishes: 0 = u' − a ω². Hence
// u' = +a ω² when the *centre of mass* is ahead of the blade (a > 0, our convention), and −|a| ω²
// when the *blade* is ahead. For a = 0.4, ω = 1.5: ±0.9. An early draft of the theory had the
// opposite sign.
TEST(ChaplyginSleigh, AcceleratesForwardIfAndOnlyIfTheCentreOfMassIsAhead) {
  const ChaplyginSleigh centre_ahead, blade_ahead{{{"distance", -0.4}}};
  for (const double phi : {0.0, 0.7, -2.0})
    for (const double u : {0.5, 0.0, -1.0}) {
      EXPECT_NEAR(forward_acceleration(centre_ahead, u, 1.5, phi), 0.9, 64.0 * unit_roundoff);
      EXPECT_NEAR(forward_acceleration(blade_ahead, u, 1.5, phi), -0.9, 64.0 * unit_roundoff);
    }
}

// The closed form gives the same sign: the centre of mass x + a e of the moving body does not
// accelerate along the blade (second difference by differentiating its velocity).
TEST(ChaplyginSleighClosedForm, CentreOfMassDoesNotAccelerateAlongTheBlade) {
  for (const ChaplyginSleigh& sys : sleighs())
    for (const InitialState& start : starts()) {
      const auto velocities = [&](double t) -> VectorXd {
        const Motion motion = sys.closed_form(start, {t}).value();
        const double phi = motion.q(2, 0), omega = motion.v(2, 0);
        const double c = std::cos(phi), s = std::sin(phi), a = sys("distance");
        return Eigen::Vector3d(motion.v(0, 0) - a * omega * s, motion.v(1, 0) + a * omega * c,
                               motion.v(0, 0) * c + motion.v(1, 0) * s);
      };
      const double t = 0.8;
      const auto rate = test::central_difference(velocities, t, 1.0 / 64.0);
      const Motion now = sys.closed_form(start, {t}).value();
      const double phi = now.q(2, 0), omega = now.v(2, 0);
      const double along_blade = rate.value(0) * std::cos(phi) + rate.value(1) * std::sin(phi);
      EXPECT_NEAR(along_blade, 0.0, 2.0 * rate.bound);  // |cos| + |sin| < 2
      EXPECT_NEAR(rate.value(2), sys("distance") * omega * omega, rate.bound + 8.0 * unit_roundoff);
      EXPECT_LT(rate.bound, 1e-8);
    }
}

TEST(ChaplyginSleighClosedForm, IsAbsentWithoutTurningOrWithoutALever) {
  const std::vector<double> times = {0.0, 1.0};
  EXPECT_FALSE(ChaplyginSleigh{}.closed_form(rolling_start(0, 0, 0.2, 1, 0.0), times).has_value());
  const ChaplyginSleigh without{{{"distance", 0.0}}};
  EXPECT_FALSE(without.closed_form(starts()[0], times).has_value());
  EXPECT_TRUE(ChaplyginSleigh{}.closed_form(starts()[0], times).has_value());
}

}  // namespace
}  // namespace rigidlimit
