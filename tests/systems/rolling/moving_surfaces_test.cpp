// Tests the systems whose surfaces move (docs/theory.md, section 16): their closed forms against
// their equations, and against numbers of the literature.

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "rigidlimit/mechanics/contact_basis.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/built_in.hpp"
#include "support/closed_form_residual.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::BuiltIn;
using test::unit_roundoff;

/// A system on moving surfaces and a parameter whose change must show in every residual.
struct Case {
  const char* name;
  BuiltIn::Values values;
  const char* changed;
};

std::vector<Case> cases() {
  return {{"tilted_turntable_ball", {}, "table_rate"},
          {"tilted_turntable_ball", {{"table_rate", -1.7}, {"slope", 0.3}, {"mass", 2.0}}, "slope"},
          {"coin_on_plate", {}, "plate_acceleration"},
          {"coin_on_plate", {{"plate_acceleration", -1.3}, {"axial_ratio", 1.0}}, "mass"},
          {"belt_roller", {}, "upper_ripple"},
          {"belt_roller", {{"lower_speed", -0.3}, {"load", -2.0}}, "load"},
          {"driven_bearing", {}, "inner_ripple"},
          {"driven_bearing", {{"load_torque", -0.1}, {"roller_inertia", 4e-6}}, "load_torque"}};
}

// The residuals are those of q' = T v, of the balance with κ of the clock free, of w and E v − e,
// and of the energy with the work −κᵀe of the surface. Their bounds are derived from the numerical
// derivative and the rounding of the terms.
TEST(MovingSurfaces, ClosedFormsSatisfyTheEquationsOfMotion) {
  for (const Case& c : cases()) {
    const BuiltIn sys(c.name, c.values);
    EXPECT_LE(test::worst_residual(sys.rolling(), sys.rolling(), sys.start()), 1.0) << c.name;
  }
}

TEST(MovingSurfaces, ClosedFormsOfAnotherSurfaceViolateThem) {
  for (const Case& c : cases()) {
    const BuiltIn sys(c.name, c.values);
    BuiltIn::Values other = c.values;
    other[c.changed] = 1.001 * sys(c.changed);
    EXPECT_GT(test::worst_residual(sys.rolling(), BuiltIn(c.name, other).rolling(), sys.start()),
              1e3)
        << c.name << ", " << c.changed;
  }
}

TEST(MovingSurfaces, ClosedFormsHoldForTheSignOfLambda) {
  for (const Case& c : cases()) {
    const BuiltIn sys(c.name, c.values);
    EXPECT_GT(test::worst_residual(sys.rolling(), sys.rolling(), sys.start(), -1.0), 1e3) << c.name;
  }
}

// After a whole turn at 2Ω/7 the circle is closed, and only the drift 5 g sin α/(2Ω) across the
// slope remains.
TEST(MovingSurfaces, BallOnATiltedTurntableDriftsAcrossTheSlope) {
  const BuiltIn ball("tilted_turntable_ball", {{"table_rate", 6.0}, {"slope", 0.05}});
  const double turn = 2.0 * std::numbers::pi / (2.0 * 6.0 / 7.0);
  const double drift = 5.0 * 9.81 * std::sin(0.05) / (2.0 * 6.0);
  const Motion motion = ball.closed_form(ball.start(), {0.0, turn}).value();
  EXPECT_NEAR(motion.q(0, 1) - motion.q(0, 0), 0.0, 64.0 * unit_roundoff);
  EXPECT_NEAR(motion.q(1, 1) - motion.q(1, 0), drift * turn, 64.0 * unit_roundoff);
}

/// belt_roller as a struct: q = (x, phi, t), v = (x', phi', 1).
struct BeltRoller {
  static constexpr int nq = 3, n = 3, m = 2;

  template <class S>
  Matrix<S, 3, 3> mass_matrix(const Vector<S, 3>&) const {
    Matrix<S, 3, 3> M = Matrix<S, 3, 3>::Zero();
    M(0, 0) = S(2.0);
    M(1, 1) = S(0.5 * 2.0 * 0.2 * 0.2);
    return M;
  }
  template <class S>
  Vector<S, 3> force(const Vector<S, 3>&, const Vector<S, 3>&) const {
    return Vector<S, 3>(S(1.5), S(0), S(0));
  }
  template <class S>
  Matrix<S, 2, 3> constraint(const Vector<S, 3>& q) const {
    using std::sin;
    const S ripple = sin(S(4.0) * q(2));
    Matrix<S, 2, 3> G;
    G << S(1), S(-0.2), S(-0.4) - S(0.3) * ripple, S(1), S(0.2), S(0.2) - S(0.1) * ripple;
    return G;
  }
  template <class S>
  Matrix<S, 1, 3> exact_constraint(const Vector<S, 3>&) const {
    return Matrix<S, 1, 3>(S(0), S(0), S(1));
  }
  VectorXd exact_rates() const { return VectorXd::Ones(1); }
};

// The struct and the text record the same numbers, but for the order of sums: 16 roundings of terms
// below 10.
TEST(MovingSurfaces, AreStatedByAStructAsByAText) {
  const System by_struct = make_system(BeltRoller{});
  const BuiltIn text("belt_roller", {});
  ASSERT_EQ(by_struct.ne, text.rolling().ne);
  EXPECT_EQ(by_struct.exact_rates(), text.rolling().exact_rates());
  const Eigen::Vector3d q(0.3, -0.7, 1.9), v(0.4, -2.0, 1.0);
  const auto terms = [&](const System& system) {
    MatrixXd rows(3, 3);
    VectorXd rate(3), drift(3), all(15);
    system.in<double>().constraints(q, rows);
    system.in<double>().coordinate_rate(q, v, rate);
    system.in<double>().constraint_drift(q, rate, v, drift);
    all << rows.reshaped(), rate, drift;
    return all;
  };
  const VectorXd a = terms(by_struct), b = terms(text.rolling());
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), 160.0 * unit_roundoff);
  // ḃ = −ν (0.3, 0.1) cos νt, by hand.
  EXPECT_NEAR(b(13), -4.0 * 0.3 * std::cos(4.0 * 1.9), 160.0 * unit_roundoff);
  EXPECT_NEAR(b(14), -4.0 * 0.1 * std::cos(4.0 * 1.9), 160.0 * unit_roundoff);
}

TEST(MovingSurfaces, BearingHasRankSeven) {
  const BuiltIn bearing("driven_bearing", {});
  const InitialState start = bearing.start();
  const ContactBasis basis = contact_basis(bearing.rolling(), start.q);
  EXPECT_EQ(basis.rank(), 7);
  EXPECT_EQ(basis.internal_forces.cols(), 5);
}

}  // namespace
}  // namespace rigidlimit
