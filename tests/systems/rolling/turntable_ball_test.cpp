// Tests that the ball on the turntable obeys Newton and Euler in the frame at rest.

#include <gmock/gmock.h>

#include <cmath>

#include "support/built_in.hpp"
#include "support/catalogued_system.hpp"
#include "support/closed_form_residual.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using test::RandomNumbers;
using test::system_of;
using test::unit_roundoff;

struct TurntableBall : test::BuiltIn {
  TurntableBall(const Values& values = {}) : BuiltIn("turntable_ball", values) {}
  double inertia() const {
    return (*this)("inertia_ratio") * (*this)("mass") * (*this)("radius") * (*this)("radius");
  }
};

std::vector<TurntableBall> balls() {
  return {TurntableBall{},
          TurntableBall{
              {{"mass", 2.0}, {"radius", 0.3}, {"inertia_ratio", 2.0 / 3.0}, {"table_rate", -1.7}}},
          TurntableBall{{{"table_rate", 0.0}}}};
}

Vector3d turned(const Vector3d& a, double angle) {
  return Eigen::AngleAxisd(angle, Vector3d::UnitZ()) * a;
}

/// Position of the centre, angular velocity and friction force in the frame at rest.
struct AtRest {
  Vector3d x, omega, friction;
};
AtRest at_rest(const TurntableBall& sys, const InitialState& start, double t) {
  const Motion motion = sys.closed_form(start, {t}).value();
  const double angle = sys("table_rate") * t;
  const Vector3d X(motion.q(0, 0), motion.q(1, 0), 0.0);
  const Vector3d w = motion.v.col(0).tail<3>();
  const Vector3d friction(-motion.lambda(0, 0), -motion.lambda(1, 0), 0.0);
  return {turned(X, angle), turned(w, angle) + sys("table_rate") * Vector3d::UnitZ(),
          turned(friction, angle)};
}

TEST(TurntableBallClosedForm, SatisfiesTheEquationsOfMotion) {
  for (const TurntableBall& sys : balls()) {
    const System system = system_of(sys);
    EXPECT_LE(test::worst_residual(system, system, sys.start()), 1.0);
  }
}

TEST(TurntableBallClosedForm, OfAnotherTableViolatesTheEquationsOfMotion) {
  const TurntableBall sys;
  const System system = system_of(sys);
  EXPECT_GT(test::worst_residual(system, system, sys.start(), -1.0), 1e3);
  for (const TurntableBall& other :
       {TurntableBall{{{"table_rate", 3.0001}}}, TurntableBall{{{"radius", 0.1001}}},
        TurntableBall{{{"mass", 1.001}}}})
    EXPECT_GT(test::worst_residual(system, system_of(other), sys.start()), 1e3);
}

// m x'' = f, J ω' = (−r e_z) × f, and the lowest point has the table's velocity Ω e_z × x. The
// bound of x' is that of the difference. x'' is the difference of x', so the bound counts twice:
// the second difference, h = 1/64, amplifies the error of the first by less than 2/h.
TEST(TurntableBallClosedForm, ObeysNewtonAndEulerInTheFrameAtRest) {
  for (const TurntableBall& sys : balls())
    for (const double t : {0.6, 1.4, 2.2}) {
      const InitialState start = sys.start();
      double inner_bound = 0.0;
      const auto velocity = [&](double time) -> VectorXd {
        const auto x = [&](double s) -> VectorXd { return at_rest(sys, start, s).x; };
        const auto rate = test::central_difference(x, time, 1.0 / 64.0);
        inner_bound = std::max(inner_bound, rate.bound);
        return rate.value;
      };
      const auto omega = [&](double time) -> VectorXd { return at_rest(sys, start, time).omega; };
      const auto acceleration = test::central_difference(velocity, t, 1.0 / 64.0);
      const auto turning = test::central_difference(omega, t, 1.0 / 64.0);
      const AtRest now = at_rest(sys, start, t);
      const Vector3d down(0.0, 0.0, -sys("radius"));

      const double bound = acceleration.bound + 128.0 * inner_bound;
      const Vector3d newton = sys("mass") * acceleration.value.col(0) - now.friction;
      EXPECT_LE(newton.norm(), sys("mass") * 2.0 * bound + 32.0 * unit_roundoff);
      const Vector3d euler = sys.inertia() * turning.value.col(0) - down.cross(now.friction);
      EXPECT_LE(euler.norm(), sys.inertia() * 2.0 * turning.bound + 32.0 * unit_roundoff);
      const Vector3d table = sys("table_rate") * Vector3d::UnitZ().cross(now.x);
      const Vector3d sliding = Vector3d(velocity(t)) + now.omega.cross(down) - table;
      EXPECT_LE(sliding.norm(), 2.0 * inner_bound + 64.0 * unit_roundoff);
      EXPECT_LT(bound, 1e-7);  // the check is sharp

      if (sys("table_rate") == 0.0) continue;  // negative controls: f reversed, a table at rest
      EXPECT_GT((sys("mass") * acceleration.value.col(0) + now.friction).norm(), 0.1);
      EXPECT_GT((sliding + table).norm(), 0.1);
    }
}

// The centre moves on a circle about x0 + e_z × V0/ν at the rate ν = (2/7) Ω.
TEST(TurntableBallClosedForm, CirclesAtTwoSeventhsOfTheTableRate) {
  const TurntableBall sys;
  const InitialState start = sys.start();
  const double nu = 2.0 / 7.0 * sys("table_rate");
  const Vector3d x0 = at_rest(sys, start, 0.0).x;
  const Vector3d V0(start.v(0) - sys("table_rate") * x0(1), start.v(1) + sys("table_rate") * x0(0),
                    0.0);
  const Vector3d centre = x0 + Vector3d::UnitZ().cross(V0) / nu;
  for (const double t : {0.5, 1.7, 4.0, 7.3}) {
    const Vector3d x = at_rest(sys, start, t).x;
    const double tolerance = 64.0 * unit_roundoff * (centre.norm() + x0.norm());
    EXPECT_LE((x - centre - turned(x0 - centre, nu * t)).norm(), tolerance);
    // Negative control: not at a third of the table rate.
    EXPECT_GT((x - centre - turned(x0 - centre, sys("table_rate") / 3.0 * t)).norm(), 0.01);
  }
}

// A ball without contact flies straight and keeps its spin; relative to the table its acceleration
// must be M⁻¹F. This checks every term of F, sliding or not.
TEST(TurntableBall, ForceIsThatOfFreeFlightInTheTurningFrame) {
  RandomNumbers random(221);
  for (const TurntableBall& sys : balls())
    for (int i = 0; i < 10; ++i) {
      const Vector3d x0(random.uniform(), random.uniform(), 0.0);
      const Vector3d V(random.uniform(), random.uniform(), 0.0);
      const Vector3d omega = random.vector<3>();
      const auto velocity = [&](double t) -> VectorXd {
        const double back = -sys("table_rate") * t;
        const Vector3d x = x0 + V * t;
        VectorXd v(5);
        v << turned(V - sys("table_rate") * Vector3d::UnitZ().cross(x), back).head<2>(),
            turned(omega - sys("table_rate") * Vector3d::UnitZ(), back);
        return v;
      };
      const double t = 0.4;
      const Vector2d q = turned(x0 + V * t, -sys("table_rate") * t).head<2>();
      const Vector<double, 5> v = velocity(t);
      const auto rate = test::central_difference(velocity, t, 1.0 / 64.0);
      const Vector<double, 5> left = sys.mass_matrix(q) * rate.value.col(0) - sys.force(q, v);
      EXPECT_LE(left.cwiseAbs().maxCoeff(), sys("mass") * rate.bound + 64.0 * 20.0 * unit_roundoff);
      if (sys("table_rate") == 0.0) continue;
      const TurntableBall other{{{"mass", sys("mass")}, {"table_rate", -sys("table_rate")}}};
      EXPECT_GT((sys.force(q, v) - other.force(q, v)).norm(), 1e-3);  // negative control
    }
}

// The Jacobi integral, to the rounding of sums of five squares. The kinetic energy in the frame at
// rest is not conserved, because the table drives the ball.
TEST(TurntableBallClosedForm, ConservesTheJacobiIntegralButNotTheEnergy) {
  const TurntableBall sys;
  const System system = system_of(sys);
  const InitialState start = sys.start();
  const double integral = mechanical_energy(system, start.q, start.v);
  const double part = kinetic_energy(system, start.q, start.v);
  for (const double t : {0.7, 2.0, 5.0}) {
    const Motion motion = sys.closed_form(start, {t}).value();
    const VectorXd q = motion.q.col(0), v = motion.v.col(0);
    const double size =
        std::abs(part) + kinetic_energy(system, q, v) - system.in<double>().potential(q);
    EXPECT_NEAR(mechanical_energy(system, q, v), integral, 64.0 * unit_roundoff * size);
    EXPECT_GT(std::abs(kinetic_energy(system, q, v) - part), 0.01);
  }
}

}  // namespace
}  // namespace rigidlimit
