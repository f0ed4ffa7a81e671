// Tests viscoelastic rolling as a stiff ODE: its balance and its exact derivatives.
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/core/dense.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

#include "rigidlimit/core/pack.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/central_difference.hpp"
#include "support/model_systems.hpp"
#include "support/random_state.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;

template <class Sys>
class Compliant : public testing::Test {
 protected:
  static constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, size = nq + n + m;
  Sys sys;
  System system = make_system(sys);
  RandomNumbers random{101};
  double epsilon = 0.25;
  ViscoelasticLaw law{random.positive_definite(m), random.positive_definite(m), 1.5};
  InitialState start = test::sliding_state<Sys>(random);
  VectorXd eta0 = random.vector<m>();
  MotionProblem<OdeProblem> rolling = compliant_ode(system, start, law, epsilon, eta0);

  VectorXd rate(double t, const VectorXd& y) const {
    VectorXd f = VectorXd::Constant(size, 777.0);
    rolling.problem.rhs(t, y, f);
    return f;
  }
  VectorXd random_y() {
    const InitialState state = test::sliding_state<Sys>(random);
    VectorXd y(size);
    y << state.q, state.v, random.vector<m>();
    return y;
  }
};

// Given matrices, T ≠ I, nq ≠ n, explicit t, m = 1; and a Lagrangian, autonomous, m = 2.
using Systems = testing::Types<test::BodyFrameSkate, test::TwoContacts>;
TYPED_TEST_SUITE(Compliant, Systems);

TYPED_TEST(Compliant, StartsAtTheGivenStart) {
  const OdeProblem& ode = this->rolling.problem;
  EXPECT_EQ(ode.t0, 0.0);
  EXPECT_EQ(ode.y0.head(this->nq), this->start.q);
  EXPECT_EQ(ode.y0.segment(this->nq, this->n), this->start.v);
  EXPECT_EQ(ode.y0.tail(this->m), this->eta0);
}

// q' = T v, M v' = F − Gᵀλ, ε² η' = G v and λ = C η + D ε^(−β) G v, with λ read from the motion.
// LU of M (n ≤ 4): 100 roundings of the terms.
TYPED_TEST(Compliant, RightHandSideBalancesWithTheForceOfTheMotion) {
  const double damping_scale = std::pow(this->epsilon, -1.5);
  for (int i = 0; i < 30; ++i) {
    const VectorXd y = this->random_y();
    const double t = this->random.uniform(0.0, 3.0);
    const VectorXd f = this->rate(t, y);
    Solution solution;
    solution.times = {t};
    solution.states = y;
    const Motion motion = this->rolling.motion(solution);
    EXPECT_EQ(motion.q.col(0), y.head(this->nq));
    EXPECT_EQ(motion.v.col(0), y.segment(this->nq, this->n));

    const Coordinates<TypeParam> q = motion.q.col(0);
    const Velocities<TypeParam> v = motion.v.col(0), a = f.segment(this->nq, this->n);
    const ContactVector<TypeParam> eta = y.tail(this->m), lambda = motion.lambda.col(0);
    const auto G = constraint(this->sys, q);
    const ContactVector<TypeParam> sliding = G * v;
    const double tolerance =
        100.0 * unit_roundoff * (10.0 + 5.0 * a.norm() + 5.0 * lambda.norm() + f.norm());
    EXPECT_LE((f.head(this->nq) - coordinate_rate(this->sys, q, v)).norm(), tolerance);
    EXPECT_LE((f.tail(this->m) * this->epsilon * this->epsilon - sliding).norm(), tolerance);
    EXPECT_LE(
        (lambda - this->law.stiffness * eta - damping_scale * (this->law.damping * sliding)).norm(),
        tolerance);
    const Velocities<TypeParam> balance =
        mass_matrix(this->sys, q) * a - force(this->sys, q, v, t) + G.transpose() * lambda;
    EXPECT_LE(balance.norm(), tolerance);
    // Negative control: with β = 1 in place of 1.5 the force differs.
    const double other_scale = 1.0 / this->epsilon;
    EXPECT_GT(
        (lambda - this->law.stiffness * eta - other_scale * (this->law.damping * sliding)).norm(),
        1e3 * tolerance);
  }
}

// The same operations with other sines: 100 roundings of the terms.
TYPED_TEST(Compliant, RightHandSideOfEightStatesIsThatOfEach) {
  MatrixXd states(this->size, 8), rates(this->size, 8);
  VectorXd times(8);
  for (Index k = 0; k < 8; ++k) {
    states.col(k) = this->random_y();
    times(k) = this->random.uniform(0.0, 3.0);
    rates.col(k) = this->rate(times(k), states.col(k));
  }
  std::vector<Pack> y, f(static_cast<std::size_t>(this->size));
  const MatrixXd rows = states.transpose();
  for (Index i = 0; i < this->size; ++i) y.push_back(Pack::load(rows.col(i).data()));
  this->rolling.problem.rhs.eight()(Pack::load(times.data()), y.data(), f.data());
  MatrixXd packed(8, this->size);
  for (Index i = 0; i < this->size; ++i) f[static_cast<std::size_t>(i)].store(packed.col(i).data());
  for (Index k = 0; k < 8; ++k) {
    const double tolerance = 100.0 * unit_roundoff * (10.0 + 10.0 * rates.col(k).norm());
    EXPECT_LE((packed.row(k).transpose() - rates.col(k)).norm(), tolerance);
    EXPECT_GT((packed.row(k).transpose() - rates.col((k + 1) % 8)).norm(), 1e3 * tolerance)
        << "negative control: all states have the same rate";
  }
}

// Another function has no packs of the first one: a solve of an altered problem never uses them.
TYPED_TEST(Compliant, AnotherRightHandSideReplacesThePacksToo) {
  OdeProblem altered = this->rolling.problem;
  ASSERT_TRUE(altered.rhs.eight());
  altered.rhs = [](double, VectorIn, VectorOut f) { f.setZero(); };
  EXPECT_FALSE(altered.rhs.eight());
}

// The difference's bound, plus 100 roundings of J (an LU of M).
TYPED_TEST(Compliant, JacobianIsTheDerivativeOfTheRightHandSide) {
  for (int i = 0; i < 5; ++i) {
    const VectorXd y = this->random_y();
    const double t = this->random.uniform(0.0, 3.0);
    const auto at_t = [&](const VectorXd& z) { return this->rate(t, z); };
    const auto numerical = test::central_jacobian(at_t, y, 1.0 / 256.0);
    MatrixXd J = MatrixXd::Constant(this->size, this->size, 777.0);
    this->rolling.problem.jacobian(t, y, J);
    const double size_of_J = J.cwiseAbs().maxCoeff();
    EXPECT_LE((J - numerical.value).cwiseAbs().maxCoeff(),
              numerical.bound + 100.0 * unit_roundoff * size_of_J);
    EXPECT_LT(numerical.bound, 1e-7 * (1.0 + size_of_J));

    // Negative control: the Jacobian with a frozen mass matrix, that of z ↦ M(q)⁻¹ M(z) v'(z).
    const Coordinates<TypeParam> q = y.head(this->nq);
    const auto frozen_rate = [&](const VectorXd& z) {
      VectorXd f = this->rate(t, z);
      const Coordinates<TypeParam> moved = z.head(this->nq);
      const Velocities<TypeParam> a = f.segment(this->nq, this->n);
      const Velocities<TypeParam> momentum_rate = mass_matrix(this->sys, moved) * a;
      f.segment(this->nq, this->n) =
          symmetric_solve(mass_matrix(this->sys, q), VectorXd(momentum_rate));
      return f;
    };
    const auto frozen = test::central_jacobian(frozen_rate, y, 1.0 / 256.0);
    EXPECT_GT((J - frozen.value).cwiseAbs().maxCoeff(), 100.0 * (numerical.bound + frozen.bound));
  }
}

TYPED_TEST(Compliant, HasATimeDerivativeIffTheForceDependsOnTime) {
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
              numerical.bound + 100.0 * unit_roundoff * dfdt.norm());
    EXPECT_GT(dfdt.norm(), 1e3 * numerical.bound);  // negative control: zero fails
  }
}

TYPED_TEST(Compliant, UnreachedColumnsAreNaN) {
  Solution solution;
  solution.times = {0.0, 1.0};
  solution.states.resize(this->size, 2);
  solution.states.col(0) = this->random_y();
  solution.states.col(1).setConstant(std::nan(""));
  const Motion motion = this->rolling.motion(solution);
  EXPECT_TRUE(motion.lambda.col(0).allFinite());
  EXPECT_TRUE(motion.lambda.col(1).array().isNaN().all());
  EXPECT_TRUE(motion.q.col(1).array().isNaN().all());
}

// At rest on the constraint with the spring prepared, C η = Λ, the compliant acceleration is the
// rigid one and η' = 0, for every ε. 1e3 roundings, the KKT matrix's condition.
TYPED_TEST(Compliant, PreparedSpringGivesTheRigidAcceleration) {
  const InitialState state = test::rolling_state(this->system, this->random);
  const Coordinates<TypeParam> q = state.q;
  const Velocities<TypeParam> v = state.v;
  const auto kkt = solve_kkt<double>(this->system, independent_contacts(this->m), q, v, 0.0);
  const VectorXd prepared = symmetric_solve(this->law.stiffness, VectorXd(kkt.multiplier));
  for (const double eps : {1.0, 0.1}) {
    const OdeProblem ode = compliant_ode(this->system, state, this->law, eps, prepared).problem;
    VectorXd f(this->size);
    ode.rhs(0.0, ode.y0, f);
    const double tolerance = 1e3 * unit_roundoff * (10.0 + kkt.acceleration.norm()) / (eps * eps);
    EXPECT_LE((f.segment(this->nq, this->n) - kkt.acceleration).norm(), tolerance);
    EXPECT_LE(f.tail(this->m).norm(), tolerance);
  }
  VectorXd f(this->size);  // negative control: an unloaded spring does not hold the body
  const OdeProblem unloaded =
      compliant_ode(this->system, state, this->law, 0.1, VectorXd::Zero(this->m)).problem;
  unloaded.rhs(0.0, unloaded.y0, f);
  EXPECT_GT((f.segment(this->nq, this->n) - kkt.acceleration).norm(), 1e-3);
}

}  // namespace
}  // namespace rigidlimit
