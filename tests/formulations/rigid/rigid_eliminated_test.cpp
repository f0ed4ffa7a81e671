// Tests rigid rolling as an ODE with the multiplier eliminated.
#include <gmock/gmock.h>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/central_difference.hpp"
#include "support/model_systems.hpp"
#include "support/random_state.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;

template <class Sys>
class RigidEliminated : public testing::Test {
 protected:
  static constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, size = nq + n;
  Sys sys;
  System system = make_system(sys);
  RandomNumbers random{91};
  MotionProblem<OdeProblem> rolling = rigid_eliminated(system, test::rolling_state(system, random));

  VectorXd rate(double t, const VectorXd& y) const {
    VectorXd f = VectorXd::Constant(size, 777.0);
    rolling.problem.rhs(t, y, f);
    return f;
  }
  VectorXd random_y() {
    const InitialState state = test::sliding_state<Sys>(random);
    VectorXd y(size);
    y << state.q, state.v;
    return y;
  }
};

// Given matrices, T ≠ I, nq ≠ n, explicit t, m = 1; and a Lagrangian, autonomous, m = 2.
using Systems = testing::Types<test::BodyFrameSkate, test::TwoContacts>;
TYPED_TEST_SUITE(RigidEliminated, Systems);

TYPED_TEST(RigidEliminated, StartsAtTheGivenStart) {
  const InitialState start = test::rolling_state(this->system, this->random);
  const OdeProblem ode = rigid_eliminated(this->system, start).problem;
  EXPECT_EQ(ode.t0, 0.0);
  EXPECT_EQ(ode.y0.head(this->nq), start.q);
  EXPECT_EQ(ode.y0.tail(this->n), start.v);
}

// d/ds G(q + s q') (v + s v') = 0 at s = 0, by differences: the flow keeps G v, zero or not.
TYPED_TEST(RigidEliminated, SlidingVelocityIsAnInvariant) {
  for (int i = 0; i < 20; ++i) {
    const VectorXd y = this->random_y(), f = this->rate(1.3, y);
    const auto sliding_along = [&](const VectorXd& direction) {
      const auto sliding = [&](double s) -> VectorXd {
        const VectorXd moved = y + s * direction;
        const Coordinates<TypeParam> q = moved.head(this->nq);
        return constraint(this->sys, q) * moved.tail(this->n);
      };
      return test::central_difference(sliding, 0.0, 1.0 / 64.0);
    };
    const auto kept = sliding_along(f);
    EXPECT_LE(kept.value.cwiseAbs().maxCoeff(), kept.bound + 1e3 * unit_roundoff * f.norm());
    EXPECT_LT(kept.bound, 1e-6);
    VectorXd free = f;  // negative control: without the constraint force
    const Coordinates<TypeParam> q = y.head(this->nq);
    const Velocities<TypeParam> v = y.tail(this->n);
    free.tail(this->n) =
        symmetric_solve(mass_matrix(this->sys, q), VectorXd(force(this->sys, q, v, 1.3)));
    EXPECT_GT(sliding_along(free).value.cwiseAbs().maxCoeff(), 1e-4);
  }
}

// (a, Lambda) is differentiated implicitly; the difference's bound plus 1e3 roundings
// (condition of the KKT matrix) of J.
TYPED_TEST(RigidEliminated, JacobianIsTheDerivativeOfTheRightHandSide) {
  for (int i = 0; i < 5; ++i) {
    const VectorXd y = this->random_y();
    const double t = this->random.uniform(0.0, 3.0);
    const auto at_t = [&](const VectorXd& z) { return this->rate(t, z); };
    const auto numerical = test::central_jacobian(at_t, y, 1.0 / 256.0);
    MatrixXd J = MatrixXd::Constant(this->size, this->size, 777.0);
    this->rolling.problem.jacobian(t, y, J);
    const double size_of_J = J.cwiseAbs().maxCoeff();
    EXPECT_LE((J - numerical.value).cwiseAbs().maxCoeff(),
              numerical.bound + 1e3 * unit_roundoff * size_of_J);
    EXPECT_LT(numerical.bound, 1e-6 * (1.0 + size_of_J));
    MatrixXd other = J;  // negative control: the Jacobian of a neighbouring state
    this->rolling.problem.jacobian(t, 0.99 * y, other);
    EXPECT_GT((other - numerical.value).cwiseAbs().maxCoeff(), 10.0 * numerical.bound);
  }
}

TYPED_TEST(RigidEliminated, HasATimeDerivativeIffTheForceDependsOnTime) {
  const auto& time_derivative = this->rolling.problem.time_derivative;
  ASSERT_EQ(static_cast<bool>(time_derivative), HasTimeDependentForce<TypeParam>);
  if (!time_derivative) return;
  for (int i = 0; i < 5; ++i) {
    const VectorXd y = this->random_y();
    const auto at_y = [&](double t) { return this->rate(t, y); };
    const auto numerical = test::central_difference(at_y, 0.9, 1.0 / 64.0);
    VectorXd dfdt = VectorXd::Constant(this->size, 777.0);
    time_derivative(0.9, y, dfdt);
    EXPECT_LE((dfdt - numerical.value).cwiseAbs().maxCoeff(),
              numerical.bound + 1e3 * unit_roundoff * dfdt.norm());
    EXPECT_GT(dfdt.norm(), 1e3 * numerical.bound);  // negative control: zero fails
  }
}

// λ of the motion is Λ of the KKT system at the solution's own times; an unreached column is NaN.
TYPED_TEST(RigidEliminated, MotionReadsTheKktMultiplier) {
  Solution solution;
  solution.times = {0.0, 0.7, 1.0};
  solution.states.resize(this->size, 3);
  for (Index k = 0; k < 2; ++k) solution.states.col(k) = this->random_y();
  solution.states.col(2).setConstant(std::nan(""));
  const Motion motion = this->rolling.motion(solution);
  EXPECT_EQ(motion.times, solution.times);
  EXPECT_EQ(motion.q.leftCols(2), solution.states.block(0, 0, this->nq, 2));
  EXPECT_EQ(motion.v.leftCols(2), solution.states.block(this->nq, 0, this->n, 2));
  for (Index k = 0; k < 2; ++k) {
    const Coordinates<TypeParam> q = motion.q.col(k);
    const Velocities<TypeParam> v = motion.v.col(k);
    const double t = solution.times[static_cast<std::size_t>(k)];
    EXPECT_EQ(motion.lambda.col(k),
              solve_kkt<double>(this->system, independent_contacts(this->m), q, v, t).multiplier);
  }
  EXPECT_TRUE(motion.lambda.col(2).array().isNaN().all());
}

}  // namespace
}  // namespace rigidlimit
