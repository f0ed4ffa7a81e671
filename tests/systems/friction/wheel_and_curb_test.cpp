// Tests the wheel and the curb against the paper's description of the same boundary, y = Φ(x).

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "support/built_in.hpp"
#include "support/central_difference.hpp"
#include "support/frictional_catalogued.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector3d;
using test::frictional_system_of;
using test::RandomNumbers;
using test::unit_roundoff;

struct WheelAndCurb : test::BuiltIn {
  WheelAndCurb(const Values& values = {}) : BuiltIn("wheel_and_curb", values) {}
};

constexpr double r = 0.1, h = 0.05, l1 = 0.5 - 0.1;
constexpr Index wall = 0, curb = 1, floor_ = 2;

/// Equations 4a to 4c and 26e of Grzesikiewicz and Zbiciak.
double a() {
  return std::sqrt(r * r - (r - h) * (r - h));
}
double f(double x) {
  return std::sqrt(r * r - (x - l1) * (x - l1)) + h;
}
double f1(double x) {
  return -(x - l1) / std::sqrt(r * r - (x - l1) * (x - l1));
}
double f2(double x) {
  return -r * r / std::pow(r * r - (x - l1) * (x - l1), 1.5);
}
double Phi(double x) {
  return x <= l1 ? h + r : x <= l1 + a() ? f(x) : r;
}

const FrictionalSystem& system() {
  static const FrictionalSystem wheel = frictional_system_of(WheelAndCurb{});
  return wheel;
}

TEST(WheelAndCurb, HasTheNumbersOfThePaper) {
  const WheelAndCurb sys;
  EXPECT_EQ(sys("mass"), 10.0);
  EXPECT_EQ(sys("inertia"), 0.05);
  EXPECT_EQ(sys("radius"), r);
  EXPECT_EQ(sys("height"), h);
  EXPECT_EQ(sys("edge"), l1);
  EXPECT_EQ(sys("friction"), 0.4);
  EXPECT_EQ(sys("gravity"), 9.81);
}

// On y = Φ(x) the least gap of curb and floor is zero; above it both are open, below it one is not.
TEST(WheelAndCurb, BoundaryIsThatOfThePaper) {
  for (double x = r; x < 1.0; x += 0.00137) {
    const double tolerance = 8.0 * unit_roundoff;  // of numbers below 0.6
    const VectorXd on = test::gap_at(system(), Vector3d(x, Phi(x), 0.3));
    EXPECT_NEAR(std::min(on(curb), on(floor_)), 0.0, tolerance) << x;
    EXPECT_NEAR(on(wall), x - r, tolerance);
    const VectorXd above = test::gap_at(system(), Vector3d(x, Phi(x) + 1e-3, 0.3));
    EXPECT_GT(std::min(above(curb), above(floor_)), 1e-5);  // steep near the point B: a/r of it
    const VectorXd below = test::gap_at(system(), Vector3d(x, Phi(x) - 1e-3, 0.3));
    EXPECT_LT(std::min(below(curb), below(floor_)), -1e-5);
  }
}

TEST(WheelAndCurb, HasTwoContactsAtThePointsAAndB) {
  const VectorXd A = test::gap_at(system(), Vector3d(r, r + h, 0.0));
  EXPECT_NEAR(A(wall), 0.0, unit_roundoff);
  EXPECT_NEAR(A(curb), 0.0, unit_roundoff);
  const VectorXd B = test::gap_at(system(), Vector3d(l1 + a(), r, 0.0));
  EXPECT_NEAR(B(curb), 0.0, 4.0 * unit_roundoff);
  EXPECT_NEAR(B(floor_), 0.0, unit_roundoff);
}

// Equations 26a, b, d: on flat segments the paper's G and H equal ours. H_I = (0, −1, r).
TEST(WheelAndCurb, RowsOnFlatSegmentsAreThoseOfThePaper) {
  const Vector3d on_step(0.25, r + h, 0.7), on_floor(0.8, r, -0.4);
  MatrixXd N = test::normal_rows(system(), on_step), W = test::sliding_rows(system(), on_step);
  EXPECT_EQ(N.row(wall), Eigen::RowVector3d(1, 0, 0));
  EXPECT_EQ(W.row(wall), Eigen::RowVector3d(0, -1, r));
  EXPECT_EQ(N.row(curb), Eigen::RowVector3d(0, 1, 0));
  EXPECT_EQ(W.row(curb), Eigen::RowVector3d(1, 0, r));
  N = test::normal_rows(system(), on_floor);
  W = test::sliding_rows(system(), on_floor);
  EXPECT_EQ(N.row(floor_), Eigen::RowVector3d(0, 1, 0));
  EXPECT_EQ(W.row(floor_), Eigen::RowVector3d(1, 0, r));
}

// Equations 26c, e. With |G| = sqrt(1 + f'²) our rows are G/|G| and (1, f', r |G|)/|G|. Along
// motions on the edge, G v = 0, g'' is γ_n/|G| = (G v)'/|G|, since G v = |G| g'. Differentiating
// y' − f' x' = 0 gives the sign of γ_n: −f'' x'², which the text extraction lost.
TEST(WheelAndCurb, RowsOnTheEdgeAreThoseOfThePaperScaled) {
  RandomNumbers random(801);
  for (int i = 0; i < 50; ++i) {
    const double x = l1 + a() * random.uniform(0.01, 0.99), x_rate = random.uniform(-3.0, 3.0);
    const Vector3d q(x, f(x), random.uniform());
    const Vector3d v(x_rate, f1(x) * x_rate, random.uniform(-20.0, 20.0));
    const double G = std::hypot(1.0, f1(x));
    // f1 and f2 divide by a root as small as r/2 of a difference with an error of 4 roundings.
    const double tolerance = 256.0 * unit_roundoff;
    const Eigen::RowVector3d normal = test::normal_rows(system(), q).row(curb);
    const Eigen::RowVector3d tangent = test::sliding_rows(system(), q).row(curb);
    EXPECT_LE((normal - Eigen::RowVector3d(-f1(x), 1.0, 0.0) / G).norm(), tolerance);
    EXPECT_LE((tangent - Eigen::RowVector3d(1.0, f1(x), r * G) / G).norm(), tolerance);
    VectorXd drift(3);
    system().geometry->normal_drift(q, v, drift);
    const double expected = -f2(x) * x_rate * x_rate / G;
    EXPECT_NEAR(drift(curb), expected, tolerance * (1.0 + expected));
    EXPECT_GT(expected, 0.0);  // the centre turns about the edge, towards it
    EXPECT_EQ(drift(wall), 0.0);
    EXPECT_EQ(drift(floor_), 0.0);
  }
}

// The wheel's material point at −r n from the centre moves with v + φ' e_z × (−r n).
TEST(WheelAndCurb, SlidingVelocitiesAreThoseOfMaterialPoints) {
  RandomNumbers random(802);
  for (int i = 0; i < 50; ++i) {
    const Vector3d q(random.uniform(0.1, 0.9), random.uniform(0.1, 0.4), random.uniform());
    const Vector3d v = random.vector<3>(-5.0, 5.0);
    const MatrixXd N = test::normal_rows(system(), q);
    const VectorXd w = test::sliding_rows(system(), q) * v;
    for (Index k = 0; k < 3; ++k) {
      const Eigen::Vector2d n = N.row(k).head<2>(), arm = -r * n;
      EXPECT_NEAR(n.norm(), 1.0, 8.0 * unit_roundoff);
      const Eigen::Vector2d point = v.head<2>() + v(2) * Eigen::Vector2d(-arm(1), arm(0));
      const Eigen::Vector2d right(n(1), -n(0));  // of the normal
      EXPECT_NEAR(w(k), right.dot(point), 64.0 * unit_roundoff * 10.0);
      EXPECT_GT(std::abs(w(k) - right.dot(v.head<2>() - v(2) * Eigen::Vector2d(-arm(1), arm(0)))),
                1e-6);  // negative control: not of the opposite point
    }
  }
}

// g is continuously differentiable at x = l1; its second derivative jumps there by 1/(y − h).
TEST(WheelAndCurb, CurvatureJumpsAtTheKink) {
  const double y = 0.17, e = 1e-9;
  VectorXd k(1), left(3), right(3);
  const Vector3d v(2.0, 0.0, 0.0);
  EXPECT_NEAR((test::normal_rows(system(), Vector3d(l1 - e, y, 0)) -
               test::normal_rows(system(), Vector3d(l1 + e, y, 0)))
                  .norm(),
              0.0, 2.0 * e / (y - h));
  system().geometry->normal_drift(Vector3d(l1 - e, y, 0), v, left);
  system().geometry->normal_drift(Vector3d(l1 + e, y, 0), v, right);
  EXPECT_EQ(left(curb), 0.0);
  EXPECT_NEAR(right(curb), 4.0 / (y - h), 1e-6);
  for (double x : {l1 - 0.1, l1, l1 + 0.2}) {
    system().kinks(Vector3d(x, y, 0), k);
    EXPECT_EQ(k(0), x - l1);
  }
}

TEST(WheelAndCurb, RefusesAStepAsHighAsTheAxle) {
  EXPECT_THROW((WheelAndCurb{{{"height", 0.1}}}), InputError);
  EXPECT_NO_THROW((WheelAndCurb{{{"height", 0.0999}}}));
}

}  // namespace
}  // namespace rigidlimit
