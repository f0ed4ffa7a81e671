// Tests exact constraints beside contacts: a wheel on a ring against the same wheel by its angle.
#include <gmock/gmock.h>

#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/formulations/rigid/rigid.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid/rigid_semi_explicit.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "support/central_difference.hpp"
#include "support/random_numbers.hpp"
#include "support/wheel_on_a_ring.hpp"

namespace rigidlimit {
namespace {

using test::unit_roundoff;

using Ring = test::WheelOnARing<true>;
using Unrestored = test::WheelOnARing<false>;

const test::WheelByAngle twin;

VectorXd rate_of(const OdeProblem& ode, const VectorXd& y) {
  VectorXd f = VectorXd::Constant(y.size(), 777.0);
  ode.rhs(0.0, y, f);
  return f;
}

/// Cartesian state of the state in the angle.
InitialState on_the_ring(const InitialState& by_angle) {
  return {twin.position(by_angle.q), twin.velocity(by_angle.q, by_angle.v)};
}

class ExactRows : public testing::TestWithParam<double> {
 protected:
  System ring = make_system(Ring{.radial = GetParam()});
  System angle = make_system(twin);
  ViscoelasticLaw law{MatrixXd::Constant(1, 1, 3.0), MatrixXd::Constant(1, 1, 0.7)};
  test::RandomNumbers random{121};

  InitialState sliding() { return {random.vector<2>(-3.0, 3.0), random.vector<2>(-2.0, 2.0)}; }
  InitialState rolling() {
    InitialState state = sliding();
    state.v(1) = twin.length * state.v(0) / twin.radius;
    return state;
  }
};
// M is regular, or singular across the ring (at some angles even a diagonal entry is small).
INSTANTIATE_TEST_SUITE_P(Inertia, ExactRows, testing::Values(1.0, 0.0));

// Numbers below 40 (v² l) and λ below 3 + 0.7/ε · 2, an LU with condition < 100: 1e3 roundings.
TEST_P(ExactRows, CompliantMotionIsThatOfTheTwin) {
  for (int i = 0; i < 30; ++i) {
    const InitialState state = sliding(), held = on_the_ring(state);
    const VectorXd eta = random.vector<1>();
    const OdeProblem reduced = compliant_ode(angle, state, law, 0.1, eta).problem;
    const OdeProblem whole = compliant_ode(ring, held, law, 0.1, eta).problem;
    const VectorXd f = rate_of(reduced, reduced.y0), g = rate_of(whole, whole.y0);
    const Eigen::Vector3d a = twin.acceleration(state.q, state.v, f.segment(2, 2));
    EXPECT_LE((g.head(3) - held.v).norm(), 1e3 * unit_roundoff);
    EXPECT_LE((g.segment(3, 3) - a).norm(), 1e3 * unit_roundoff * 40.0);
    EXPECT_NEAR(g(6), f(4), 1e3 * unit_roundoff * 200.0);
    // Negative control: the angle's acceleration differs without its centripetal part.
    EXPECT_GT(
        (g.segment(3, 3) - twin.acceleration(state.q, VectorXd::Zero(2), f.segment(2, 2))).norm(),
        1e-6);
  }
}

TEST_P(ExactRows, RigidMotionIsThatOfTheTwinInEveryForm) {
  for (int i = 0; i < 30; ++i) {
    const InitialState state = rolling(), held = on_the_ring(state);
    const OdeProblem reduced = rigid_eliminated(angle, state).problem;
    const VectorXd f = rate_of(reduced, reduced.y0);
    const Eigen::Vector3d a = twin.acceleration(state.q, state.v, f.tail(2));
    const double scale = 40.0 + 10.0 * state.v.squaredNorm();
    const double tolerance = 1e3 * unit_roundoff * scale;
    const auto lambda =
        solve_kkt<double>(angle, independent_contacts(1), state.q, state.v, 0.0).multiplier(0);

    const OdeProblem eliminated = rigid_eliminated(ring, held).problem;
    EXPECT_LE((rate_of(eliminated, eliminated.y0).tail(3) - a).norm(), tolerance);
    const auto semi = rigid_semi_explicit(ring, held).problem;
    ASSERT_EQ(semi.y0.size(), 8);
    const VectorXd g = rate_of(semi, semi.y0);
    EXPECT_LE((g.segment(3, 3) - a).norm(), tolerance);
    EXPECT_LE(g.tail(2).norm(), tolerance);
    EXPECT_NEAR(semi.y0(7), lambda, tolerance);
    for (const MultiplierForm form : {MultiplierForm::index2, MultiplierForm::impulse}) {
      const DaeProblem dae = rigid_dae(ring, held, form).problem;
      VectorXd r(8);
      dae.residual(0.0, dae.y0, dae.yp0, r);
      EXPECT_LE(r.norm(), tolerance);
      EXPECT_LE((dae.yp0.segment(3, 3) - a).norm(), tolerance);
      EXPECT_NEAR((form == MultiplierForm::index2 ? dae.y0 : dae.yp0)(7), lambda, tolerance);
      EXPECT_EQ(dae.differential[6], form == MultiplierForm::impulse);  // κ, as Λ
      VectorXd yp = dae.yp0;  // negative control: another κ
      VectorXd y = dae.y0;
      (form == MultiplierForm::index2 ? y : yp)(6) += 1e-3;
      dae.residual(0.0, y, yp, r);
      EXPECT_GT(r.norm(), 1e-4);
    }
  }
}

// Also off the manifold (e ≠ 0, E v ≠ 0), where the restoring rate and its derivative matter. The
// difference's own bound plus 1e3 roundings of J.
template <class Problem>
void expect_exact_jacobian(const Problem& ode, const VectorXd& y) {
  const auto f = [&](const VectorXd& z) { return rate_of(ode, z); };
  const auto numerical = test::central_jacobian(f, y, 1.0 / 256.0);
  MatrixXd J = MatrixXd::Constant(y.size(), y.size(), 777.0);
  ode.jacobian(0.0, y, J);
  const double size_of_J = J.cwiseAbs().maxCoeff();
  EXPECT_LE((J - numerical.value).cwiseAbs().maxCoeff(),
            numerical.bound + 1e3 * unit_roundoff * size_of_J)
      << ode.name;
  EXPECT_LT(numerical.bound, 1e-6 * (1.0 + size_of_J));
  MatrixXd other = J;  // negative control: the Jacobian of a neighbouring state
  ode.jacobian(0.0, 0.99 * y, other);
  EXPECT_GT((other - numerical.value).cwiseAbs().maxCoeff(), 10.0 * numerical.bound) << ode.name;
}

TEST_P(ExactRows, JacobiansAreThoseOfTheRightHandSides) {
  const InitialState held = on_the_ring(rolling());
  const auto near = [&](const VectorXd& y0) {
    VectorXd y = y0;
    for (double& x : y) x += random.uniform(-0.1, 0.1);
    return y;
  };
  for (int i = 0; i < 3; ++i) {
    const OdeProblem soft = compliant_ode(ring, held, law, 0.5, VectorXd::Ones(1)).problem;
    expect_exact_jacobian(soft, near(soft.y0));
    const OdeProblem eliminated = rigid_eliminated(ring, held).problem;
    expect_exact_jacobian(eliminated, near(eliminated.y0));
    const auto semi = rigid_semi_explicit(ring, held).problem;
    expect_exact_jacobian(semi, near(semi.y0));
  }
}

TEST_P(ExactRows, JacobianOfTheResidualIsExact) {
  const InitialState held = on_the_ring(rolling());
  for (const MultiplierForm form : {MultiplierForm::index2, MultiplierForm::impulse}) {
    const DaeProblem dae = rigid_dae(ring, held, form).problem;
    VectorXd y = dae.y0, yp = random.vector<8>();
    for (double& x : y) x += random.uniform(-0.1, 0.1);
    const double alpha = 3.0;
    const auto combined = [&](const VectorXd& z) {
      VectorXd r(8);
      dae.residual(0.0, z, yp + alpha * (z - y), r);
      return r;
    };
    const auto numerical = test::central_jacobian(combined, y, 1.0 / 256.0);
    MatrixXd J = MatrixXd::Constant(8, 8, 777.0);
    dae.jacobian(0.0, y, yp, alpha, J);
    EXPECT_LE((J - numerical.value).cwiseAbs().maxCoeff(),
              numerical.bound + 1e3 * unit_roundoff * J.cwiseAbs().maxCoeff());
    dae.jacobian(0.0, y, yp, alpha + 1e-3, J);  // negative control
    EXPECT_GT((J - numerical.value).cwiseAbs().maxCoeff(), 1e3 * numerical.bound);
  }
}

// d e/dt = E v − γ e and d(E v)/dt = −γ E v + O(e): drift is restored. Without the invariant only
// the latter holds, and e stays. ∂e = E here; a dozen roundings of 10.
TEST(Invariants, AreRestoredWhereTheyAreDeclared) {
  const ViscoelasticLaw law{MatrixXd::Ones(1, 1), MatrixXd::Ones(1, 1)};
  const InitialState off{Eigen::Vector3d(0.5, -0.7, 0.2), Eigen::Vector3d(0.4, 0.9, -1.0)};
  const double e = 0.5 * (off.q.head(2).squaredNorm() - 0.64),
               Ev = off.q.head(2).dot(off.v.head(2));
  for (const bool restored : {true, false}) {
    const System system = restored ? make_system(Ring{}) : make_system(Unrestored{});
    const OdeProblem problems[] = {compliant_ode(system, off, law, 0.5, VectorXd::Zero(1)).problem,
                                   rigid_eliminated(system, off).problem,
                                   rigid_semi_explicit(system, off).problem};
    for (const OdeProblem& ode : problems) {
      const VectorXd f = rate_of(ode, ode.y0);
      const double e_rate = off.q.head(2).dot(f.head(2));
      EXPECT_NEAR(e_rate, Ev - (restored ? 10.0 * e : 0.0), 120.0 * unit_roundoff) << ode.name;
    }
    for (const OdeProblem& ode : {problems[0], problems[1]}) {
      const VectorXd f = rate_of(ode, ode.y0);
      const double recovery = off.q.head(2).dot(f.segment(3, 2)) + off.v.head(2).squaredNorm();
      EXPECT_NEAR(recovery, -exact_constraint_recovery * Ev, 1e4 * unit_roundoff) << ode.name;
    }
  }
  EXPECT_GT(std::abs(e), 0.01);  // the state was off both
  EXPECT_GT(std::abs(Ev), 0.1);
}

/// Classical Runge-Kutta steps of size h to `end`.
VectorXd by_steps(const OdeProblem& ode, double h, double end) {
  VectorXd y = ode.y0;
  for (long k = 0, count = std::lround(end / h); k < count; ++k) {
    const VectorXd a = rate_of(ode, y), b = rate_of(ode, y + 0.5 * h * a),
                   c = rate_of(ode, y + 0.5 * h * b), d = rate_of(ode, y + h * c);
    y += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
  }
  return y;
}

// Drift of a coarse solver off the ring after 20 s. The restoring rate limits it to the error of
// about 1/γ, a tenth of a second of 20: at least twenty times less than the accumulated drift.
TEST(Invariants, DoNotDriftWithARestoringRate) {
  const InitialState start{Eigen::Vector3d(0.8, 0.0, 0.0), Eigen::Vector3d(0.0, 0.8, 0.8 / 0.3)};
  const auto drift = [&](const System& system) {
    const VectorXd y = by_steps(rigid_eliminated(system, start).problem, 0.02, 20.0);
    return std::abs(y.head(2).norm() - 0.8);
  };
  const double with = drift(make_system(Ring{})), without = drift(make_system(Unrestored{}));
  EXPECT_LT(20.0 * with, without);
  EXPECT_GT(without, 1e-9);
}

}  // namespace
}  // namespace rigidlimit
