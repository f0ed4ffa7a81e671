// Tests rigid rolling as a DAE in index 2 and impulse form: consistent start, residual, Jacobian.
#include <gmock/gmock.h>

#include "rigidlimit/formulations/rigid/rigid.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/central_difference.hpp"
#include "support/model_systems.hpp"
#include "support/random_state.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;

template <class Sys>
class RigidDae : public testing::Test {
 protected:
  static constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, size = nq + n + m;
  Sys sys;
  System system = make_system(sys);
  RandomNumbers random{81};

  /// The residual of `dae` as a value.
  static VectorXd residual(const DaeProblem& dae, double t, const VectorXd& y, const VectorXd& yp) {
    VectorXd r = VectorXd::Constant(size, 777.0);  // a residual writes every entry
    dae.residual(t, y, yp, r);
    return r;
  }
};

// Given matrices, T ≠ I, nq ≠ n, explicit t, m = 1; and a Lagrangian, autonomous, m = 2.
using Systems = testing::Types<test::BodyFrameSkate, test::TwoContacts>;
TYPED_TEST_SUITE(RigidDae, Systems);

// The KKT solution has a backward error below 100 u times the terms (N ≤ 6, |M|, |G| ≤ 5).
double round_off(const VectorXd& y, const VectorXd& yp) {
  return 100.0 * unit_roundoff * 5.0 * (4.0 + y.squaredNorm() + yp.cwiseAbs().maxCoeff());
}

TYPED_TEST(RigidDae, InitialDataAreConsistent) {
  for (const MultiplierForm form : {MultiplierForm::index2, MultiplierForm::impulse})
    for (int i = 0; i < 20; ++i) {
      const InitialState start = test::rolling_state(this->system, this->random);
      const DaeProblem dae = rigid_dae(this->system, start, form).problem;
      EXPECT_EQ(dae.t0, 0.0);
      EXPECT_EQ(dae.y0.head(this->nq), start.q);
      EXPECT_EQ(dae.y0.segment(this->nq, this->n), start.v);
      const double tolerance = round_off(dae.y0, dae.yp0);
      EXPECT_LE(this->residual(dae, 0.0, dae.y0, dae.yp0).cwiseAbs().maxCoeff(), tolerance);
      // Consistent for index 2 means also d(G v)/dt = 0: v' keeps the constraint.
      const Coordinates<TypeParam> q = start.q;
      const Velocities<TypeParam> v = start.v, a = dae.yp0.segment(this->nq, this->n);
      const auto drift = constraint_drift(this->sys, q, v);
      EXPECT_LE((constraint(this->sys, q) * a + drift).cwiseAbs().maxCoeff(), tolerance);
      // Negative control: a sliding start leaves G v in the last block.
      const DaeProblem bad =
          rigid_dae(this->system, test::sliding_state<TypeParam>(this->random), form).problem;
      EXPECT_GT(this->residual(bad, 0.0, bad.y0, bad.yp0).tail(this->m).norm(), 1e3 * tolerance);
    }
}

// The index-2 form excludes Λ from the error test; the impulse form tests every component.
TYPED_TEST(RigidDae, OnlyTheMultiplierOfIndexTwoIsAlgebraic) {
  const InitialState start = test::rolling_state(this->system, this->random);
  const DaeProblem index2 = rigid_dae(this->system, start, MultiplierForm::index2).problem;
  const DaeProblem impulse = rigid_dae(this->system, start, MultiplierForm::impulse).problem;
  EXPECT_TRUE(index2.algebraic_variables_untested);
  EXPECT_FALSE(impulse.algebraic_variables_untested);
  ASSERT_EQ(index2.differential.size(), static_cast<std::size_t>(this->size));
  for (int i = 0; i < this->size; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_EQ(index2.differential[k], i < this->nq + this->n);
    EXPECT_TRUE(impulse.differential[k]);
  }
  EXPECT_EQ(index2.y0.tail(this->m), impulse.yp0.tail(this->m));  // Λ = Π'
  EXPECT_EQ(impulse.y0.tail(this->m).norm() + index2.yp0.tail(this->m).norm(), 0.0);
}

// With v' and Λ from the KKT system the first two rows vanish at any state and time, sliding or
// not; the last row is G v.
TYPED_TEST(RigidDae, ResidualVanishesAlongTheKktSolution) {
  const InitialState start = test::rolling_state(this->system, this->random);
  for (const MultiplierForm form : {MultiplierForm::index2, MultiplierForm::impulse}) {
    const DaeProblem dae = rigid_dae(this->system, start, form).problem;
    for (int i = 0; i < 50; ++i) {
      const InitialState state = test::sliding_state<TypeParam>(this->random);
      const Coordinates<TypeParam> q = state.q;
      const Velocities<TypeParam> v = state.v;
      const double t = this->random.uniform(0.0, 3.0);
      const auto kkt = solve_kkt<double>(this->system, independent_contacts(this->m), q, v, t);
      VectorXd y = VectorXd::Zero(this->size), yp = VectorXd::Zero(this->size);
      y.head(this->nq + this->n) << q, v;
      yp.head(this->nq + this->n) << coordinate_rate(this->sys, q, v), kkt.acceleration;
      (form == MultiplierForm::index2 ? y : yp).tail(this->m) = kkt.multiplier;
      const VectorXd r = this->residual(dae, t, y, yp);
      const double tolerance = round_off(y, yp);
      EXPECT_LE(r.head(this->nq + this->n).cwiseAbs().maxCoeff(), tolerance);
      EXPECT_LE((r.tail(this->m) - constraint(this->sys, q) * v).norm(), tolerance);
      yp(this->nq) += 1e-3;  // negative control: another acceleration
      EXPECT_GT(this->residual(dae, t, y, yp).norm(), 1e3 * tolerance);
    }
  }
}

// J = ∂r/∂y + α ∂r/∂y' is the derivative of z ↦ r(z, y' + α (z − y)) at z = y. The difference's own
// bound, plus 32 roundings of J.
TYPED_TEST(RigidDae, JacobianIsTheDerivativeOfTheResidual) {
  const InitialState start = test::rolling_state(this->system, this->random);
  for (const MultiplierForm form : {MultiplierForm::index2, MultiplierForm::impulse}) {
    const DaeProblem dae = rigid_dae(this->system, start, form).problem;
    for (const double alpha : {0.0, 3.0, 50.0}) {
      const VectorXd y = this->random.template vector<TestFixture::size>();
      const VectorXd yp = this->random.template vector<TestFixture::size>(-2.0, 2.0);
      const double t = 0.7;
      const auto combined = [&](const VectorXd& z) {
        return this->residual(dae, t, z, yp + alpha * (z - y));
      };
      const auto numerical = test::central_jacobian(combined, y, 1.0 / 256.0);
      MatrixXd J = MatrixXd::Constant(this->size, this->size, 777.0);
      dae.jacobian(t, y, yp, alpha, J);
      const double size_of_J = J.cwiseAbs().maxCoeff();
      EXPECT_LE((J - numerical.value).cwiseAbs().maxCoeff(),
                numerical.bound + 32.0 * unit_roundoff * size_of_J);
      EXPECT_LT(numerical.bound, 1e-9 * (1.0 + size_of_J));  // sharp
      // Negative control: another α, another y', or a frozen M gives another matrix.
      MatrixXd other = J;
      dae.jacobian(t, y, yp, alpha + 1e-3, other);
      EXPECT_GT((other - numerical.value).cwiseAbs().maxCoeff(), 1e3 * numerical.bound);
      dae.jacobian(t, y, 0.5 * yp, alpha, other);
      EXPECT_GT((other - numerical.value).cwiseAbs().maxCoeff(), 1e3 * numerical.bound);
    }
  }
}

/// Three grid points; the last was not reached.
Solution fabricated_solution(Index size, RandomNumbers& random) {
  Solution solution;
  solution.times = {0.0, 0.5, 1.0};
  solution.states.resize(size, 3);
  solution.rates.resize(size, 3);
  for (Index k = 0; k < 3; ++k)
    for (Index i = 0; i < size; ++i) {
      solution.states(i, k) = random.uniform();
      solution.rates(i, k) = random.uniform();
    }
  solution.states.col(2).setConstant(std::nan(""));
  solution.rates.col(2).setConstant(std::nan(""));
  return solution;
}

TYPED_TEST(RigidDae, MotionReadsTheMultiplierOfTheSolver) {
  const InitialState start = test::rolling_state(this->system, this->random);
  const Solution solution = fabricated_solution(this->size, this->random);
  for (const MultiplierForm form : {MultiplierForm::index2, MultiplierForm::impulse}) {
    const Motion motion = rigid_dae(this->system, start, form).motion(solution);
    const MatrixXd& source = form == MultiplierForm::index2 ? solution.states : solution.rates;
    EXPECT_EQ(motion.times, solution.times);
    EXPECT_EQ(motion.q.leftCols(2), solution.states.block(0, 0, this->nq, 2));
    EXPECT_EQ(motion.v.leftCols(2), solution.states.block(this->nq, 0, this->n, 2));
    EXPECT_EQ(motion.lambda.leftCols(2), source.block(this->nq + this->n, 0, this->m, 2));
    EXPECT_TRUE(motion.q.col(2).array().isNaN().all());
    EXPECT_TRUE(motion.lambda.col(2).array().isNaN().all());
  }
}

}  // namespace
}  // namespace rigidlimit
