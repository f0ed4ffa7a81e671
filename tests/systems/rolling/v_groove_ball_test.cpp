// Tests the ball in the V-groove: its closed form, its contacts, and the internal force selected by
// the springs.

#include <gmock/gmock.h>

#include <cmath>

#include "support/built_in.hpp"
#include "support/catalogued_system.hpp"
#include "support/closed_form_residual.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;
using test::RandomNumbers;
using test::system_of;
using test::unit_roundoff;

struct VGrooveBall : test::BuiltIn {
  VGrooveBall(const Values& values = {}) : BuiltIn("v_groove_ball", values) {}
};

std::vector<VGrooveBall> balls() {
  return {VGrooveBall{}, VGrooveBall{{{"drag", 0.0}, {"couple", 0.0}}},
          VGrooveBall{{{"mass", 2.0},
                       {"radius", 0.3},
                       {"inertia_ratio", 2.0 / 3.0},
                       {"half_angle", 1.2},
                       {"slope", -0.4},
                       {"gravity", 3.0},
                       {"drag", 0.2},
                       {"couple", -0.3}}}};
}

TEST(VGrooveBallClosedForm, SatisfiesTheEquationsOfMotion) {
  for (const VGrooveBall& sys : balls()) {
    const System system = system_of(sys);
    EXPECT_LE(test::worst_residual(system, system, sys.start()), 1.0);
  }
}

TEST(VGrooveBallClosedForm, OfAnotherBallViolatesTheEquationsOfMotion) {
  const VGrooveBall sys;
  const System system = system_of(sys);
  EXPECT_GT(test::worst_residual(system, system, sys.start(), -1.0), 1e3);
  for (const VGrooveBall& other :
       {VGrooveBall{{{"half_angle", 0.7001}}}, VGrooveBall{{{"radius", 0.1001}}},
        VGrooveBall{{{"inertia_ratio", 0.4001}}}, VGrooveBall{{{"couple", 0.1001}}}})
    EXPECT_GT(test::worst_residual(system, system_of(other), sys.start()), 1e3);
}

// docs/theory.md, sections 8 and 10: u' = g sin α/(1 + 2/(5 cos²γ)), and friction along the groove
// of ½ m (g sin α − u') at each wall; both in a dozen roundings.
TEST(VGrooveBallClosedForm, HasThePublishedAccelerationWithoutDrag) {
  for (const double gamma : {0.2, 0.7, 1.3}) {
    const VGrooveBall sys{{{"half_angle", gamma}, {"drag", 0.0}, {"couple", 0.0}}};
    const double s = sys("gravity") * std::sin(sys("slope")), cosine = std::cos(gamma);
    const double published = s / (1.0 + 2.0 / (5.0 * cosine * cosine));
    const Motion motion = sys.closed_form(sys.start(), {1.0}).value();
    EXPECT_NEAR(motion.v(0, 0) - 0.2, published, 16.0 * unit_roundoff * (0.2 + s));
    for (const Index along : {0, 2})
      EXPECT_NEAR(motion.lambda(along, 0), 0.5 * sys("mass") * (s - published),
                  16.0 * unit_roundoff * s);
    // Negative control: a sphere on a plane (γ = 0) is faster.
    EXPECT_GT(s / 1.4 - published, 0.01);
  }
}

// s' e_x + ω × ρ of the material contact points in vectors: along e_x, across in the tangent plane
// of the wall, zero along its normal.
TEST(VGrooveBall, SlidingVelocitiesAreThoseOfTheContactPoints) {
  RandomNumbers random(211);
  for (const VGrooveBall& sys : balls())
    for (int i = 0; i < 20; ++i) {
      const Vector4d v = random.vector<4>();
      const Vector4d w = sys.constraint(Vector4d::Zero().eval()) * v;
      const Vector3d omega = v.tail<3>();
      for (const int side : {1, -1}) {  // left, right
        const double s = side * std::sin(sys("half_angle")), c = std::cos(sys("half_angle"));
        const Vector3d normal(0.0, -s, c);  // off the wall, towards the centre
        const Vector3d across(0.0, c, s);   // to the left in the wall
        const Vector3d velocity =
            v(0) * Vector3d::UnitX() + omega.cross(Vector3d(-sys("radius") * normal));
        const Index row = side == 1 ? 0 : 2;
        const double tolerance = 8.0 * unit_roundoff;
        EXPECT_NEAR(velocity(0), w(row), tolerance);
        EXPECT_NEAR(velocity.dot(across), w(row + 1), tolerance);
        EXPECT_NEAR(velocity.dot(normal), 0.0, tolerance);
        EXPECT_GT(std::abs(velocity(0) - w(2 - row)), 1e-6);  // not the other wall's
      }
    }
}

TEST(VGrooveBall, HasOneInternalForceBetweenTheWalls) {
  for (const VGrooveBall& sys : balls()) {
    const System system = system_of(sys);
    const ContactBasis basis = contact_basis(system, sys.start().q);
    ASSERT_EQ(basis.rank(), 3);
    ASSERT_EQ(basis.internal_forces.cols(), 1);
    const Vector4d wedge = Vector4d(0.0, 1.0, 0.0, -1.0) / std::sqrt(2.0);
    EXPECT_NEAR(std::abs(wedge.dot(basis.internal_forces.col(0))), 1.0, 16.0 * unit_roundoff);
    MatrixXd G(4, 4);
    system.in<double>().constraints(sys.start().q, G);
    EXPECT_EQ((G.transpose() * wedge).norm(), 0.0);
    // Negative control: opposite forces along the groove turn the ball about z.
    EXPECT_GT((G.transpose() * Vector4d(1.0, 0.0, -1.0, 0.0)).norm(), 0.05);
  }
}

/// The minimiser of (Λ − C η0)ᵀ C⁻¹ (Λ − C η0) for C = diag(c), Λ₂ = τ/(2r) + z, Λ₄ = τ/(2r) − z.
/// The components along the groove are fixed. With L_i = c_i η0_i,
///   (Λ₂ − L₂)/c₂ = (Λ₄ − L₄)/c₄:  Λ₂ = (c₂ τ/r + c₂ c₄ (η0₂ − η0₄))/(c₂ + c₄).
Vector4d selected_by_hand(const VGrooveBall& sys, const Vector4d& any, const Vector4d& c,
                          const Vector4d& eta0) {
  const double load = sys("couple") / sys("radius");
  const double left = (c(1) * load + c(1) * c(3) * (eta0(1) - eta0(3))) / (c(1) + c(3));
  return {any(0), left, any(2), load - left};
}

// Stiffness ratios are left to right, unloaded and wedged by the springs' initial deflection. H has
// three columns and a condition near 1. Its least squares and the solve with HᵀCH (ratios up to 4)
// cost about ten roundings each, times forces of 2 N.
TEST(VGrooveBall, SpringsShareTheTransverseForceInProportionToTheirStiffness) {
  const VGrooveBall sys;
  const System system = system_of(sys);
  const InitialState start = sys.start();
  const ContactBasis basis = contact_basis(system, start.q);
  const VectorXd rigid = solve_kkt<double>(system, basis, start.q, start.v, 0.0).multiplier;
  const Vector4d closed = sys.closed_form(start, {0.0}).value().lambda.col(0);
  const double tolerance = 128.0 * 2.0 * unit_roundoff;
  EXPECT_LE((basis.combination.transpose() * (rigid - closed)).cwiseAbs().maxCoeff(), tolerance);

  for (const Vector4d& c : {Vector4d(1, 1, 1, 1), Vector4d(4, 4, 1, 1), Vector4d(1, 1, 4, 4)})
    for (const Vector4d& eta0 : {Vector4d(0, 0, 0, 0), Vector4d(0.1, 0.5, 0.1, -0.2)}) {
      const Vector4d expected = selected_by_hand(sys, closed, c, eta0);
      const MatrixXd C = c.asDiagonal();
      for (const VectorXd& any : {rigid, VectorXd(closed)})
        EXPECT_LE((selected_multiplier(basis, C, eta0, any) - expected).cwiseAbs().maxCoeff(),
                  tolerance);
      const Vector4d other = selected_by_hand(sys, closed, Vector4d(1, 3, 1, 1), eta0);
      EXPECT_GT((other - expected).norm(), 0.05);  // negative control
    }
}

/// λ (4) of the compliant ball at time `end` for C = diag(c), D = I, β = 1, unloaded at t = 0, by
/// the classical Runge-Kutta method. The forces do not depend on q: (v, η) is the complete state.
Vector4d compliant_force(const VGrooveBall& sys, const Vector4d& c, double eps, double end) {
  const InitialState start = sys.start();
  const Vector4d origin = start.q;
  const Eigen::Matrix4d G = sys.constraint(origin);
  const Vector4d inertia = sys.mass_matrix(origin).diagonal();
  const auto contact_force = [&](const Vector4d& v, const Vector4d& eta) -> Vector4d {
    return c.cwiseProduct(eta) + G * v / eps;
  };
  const auto rate = [&](const Vector<double, 8>& y) {
    const Vector4d v = y.head<4>(), eta = y.tail<4>();
    const Vector4d forces = sys.force(origin, v) - G.transpose() * contact_force(v, eta);
    Vector<double, 8> y_rate;
    y_rate << forces.cwiseQuotient(inertia), G * v / (eps * eps);
    return y_rate;
  };
  Vector<double, 8> y;
  y << start.v, Vector4d::Zero();
  const int steps = static_cast<int>(std::ceil(40.0 * end / eps));
  const double h = end / steps;
  for (int i = 0; i < steps; ++i) {
    const Vector<double, 8> k1 = rate(y), k2 = rate(y + 0.5 * h * k1);
    const Vector<double, 8> k3 = rate(y + 0.5 * h * k2), k4 = rate(y + h * k3);
    y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return contact_force(y.head<4>(), y.tail<4>());
}

// The compliant ball tends to that Λ with order 2 (docs/theory.md, section 2): half the ε gives a
// quarter of the error, to the next order's 5 %. The layer, e^(−t/ε) and faster, is over by t = 1.
TEST(VGrooveBall, CompliantForcesConvergeToTheSelectedForces) {
  const VGrooveBall sys;
  const double end = 1.0;
  const Vector4d closed = sys.closed_form(sys.start(), {end}).value().lambda.col(0);
  for (const Vector4d& c : {Vector4d(1, 1, 1, 1), Vector4d(4, 4, 1, 1), Vector4d(1, 1, 4, 4)}) {
    const Vector4d limit = selected_by_hand(sys, closed, c, Vector4d::Zero());
    const double coarse = (compliant_force(sys, c, 0.005, end) - limit).cwiseAbs().maxCoeff();
    const double fine = (compliant_force(sys, c, 0.0025, end) - limit).cwiseAbs().maxCoeff();
    EXPECT_LT(fine, 1e-4);
    EXPECT_NEAR(coarse / fine, 4.0, 0.2);
    if (c(1) == c(3)) continue;  // negative control: not in equal shares
    EXPECT_GT((closed - limit).cwiseAbs().maxCoeff(), 0.2);
  }
}

}  // namespace
}  // namespace rigidlimit
