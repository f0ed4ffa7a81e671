// Viscoelastic rolling in constraint-adapted velocities: the same motion as in (q, v, η), exact
// derivatives, and coordinates that move without moving the body.
#include "rigidlimit/formulations/adapted.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/formulations/compliant.hpp"
#include "support/central_difference.hpp"
#include "support/model_derivatives.hpp"
#include "support/model_systems.hpp"
#include "support/random_state.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;

/// The skate with natural quasi-velocities that depend on q: [S; G] is regular for |q_i| ≤ 1.
struct SkateWithQuasiVelocities : test::BodyFrameSkate {
  template <class S>
  Matrix<S, n - m, n> quasi_velocities(const Vector<S, nq>& q) const {
    Matrix<S, n - m, n> rows;
    rows << 1.0 + 0.3 * q(2) * q(2), 0.2 * q(3), S(0),  //
        0.1 * q(0), S(0), S(2);
    return rows;
  }
};
static_assert(HasQuasiVelocities<SkateWithQuasiVelocities>);
static_assert(!HasQuasiVelocities<test::BodyFrameSkate> && !HasQuasiVelocities<test::TwoContacts>);

template <class Sys>
class Adapted : public testing::Test {
 protected:
  static constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, size = nq + n + m;
  Sys sys;
  RandomNumbers random{201};
  double epsilon = 0.25;
  ViscoelasticLaw law{random.positive_definite(m), random.positive_definite(m), 1.5};
  InitialState start = test::sliding_state<Sys>(random);
  VectorXd eta0 = random.vector<m>();
  MotionProblem<OdeProblem> rolling = compliant_adapted(sys, start, law, epsilon, eta0);
  const OdeProblem& ode = rolling.problem;
  /// The frame of the start: a copy of the one that `ode` holds as long as that does not move.
  AdaptedFrame<Sys> frame{sys, start.q, {}};

  VectorXd rate(double t, const VectorXd& y) const {
    VectorXd f = VectorXd::Constant(size, 777.0);
    ode.rhs(t, y, f);
    return f;
  }
  VectorXd output(const VectorXd& y) const {
    VectorXd out = VectorXd::Constant(ode.output_size(), 777.0);
    ode.coordinates->output(0.0, y, out);
    return out;
  }
  VectorXd random_y() {
    const InitialState state = test::sliding_state<Sys>(random);
    const Coordinates<Sys> q = state.q;
    const Velocities<Sys> v = state.v;
    VectorXd y(size);
    y << q, frame.template at<double>(q) * v, random.vector<m>();
    return y;
  }
  double condition_of_frame(const VectorXd& y) const {
    const Coordinates<Sys> q = y.head(nq);
    const Matrix<double, n, n> B = frame.template at<double>(q);
    return B.norm() * B.inverse().norm();
  }
};

// S constant, T ≠ I, nq ≠ n, explicit t, m = 1; a Lagrangian, autonomous, m = 2; S(q).
using Systems = testing::Types<test::BodyFrameSkate, test::TwoContacts, SkateWithQuasiVelocities>;
TYPED_TEST_SUITE(Adapted, Systems);

// y ↦ (q, v, η, w) by one solve with B: 50 roundings, amplified by cond B.
TYPED_TEST(Adapted, OutputOfTheStartIsTheStart) {
  ASSERT_EQ(this->ode.output_size(), this->nq + this->n + 2 * this->m);
  const VectorXd out = this->output(this->ode.y0);
  const double tolerance = 50.0 * unit_roundoff * this->condition_of_frame(this->ode.y0) * 10.0;
  EXPECT_EQ(out.head(this->nq), this->start.q);
  EXPECT_LE((out.segment(this->nq, this->n) - this->start.v).norm(), tolerance);
  EXPECT_EQ(out.segment(this->nq + this->n, this->m), this->eta0);
  const Coordinates<TypeParam> q = this->start.q;
  EXPECT_LE((out.tail(this->m) - constraint(this->sys, q) * this->start.v).norm(), tolerance);
}

// Along the natural right-hand side (q', v', η') the adapted velocities B(q) v change at the rate
// d/dτ B(q + τ q')(v + τ v'), taken by differences.
TYPED_TEST(Adapted, RightHandSideIsTheNaturalOneInOtherVariables) {
  const OdeProblem natural =
      compliant_ode(this->sys, this->start, this->law, this->epsilon, this->eta0).problem;
  for (int i = 0; i < 20; ++i) {
    const VectorXd y = this->random_y();
    const double t = this->random.uniform(0.0, 3.0);
    const VectorXd qv_eta = this->output(y).head(this->size);
    VectorXd qv_rate(this->size);
    natural.rhs(t, qv_eta, qv_rate);
    const auto adapted_velocities = [&](double tau) -> VectorXd {
      const VectorXd moved = qv_eta + tau * qv_rate;
      const Coordinates<TypeParam> q = moved.head(this->nq);
      const Velocities<TypeParam> v = moved.segment(this->nq, this->n);
      return this->frame.template at<double>(q) * v;
    };
    const double h = 1.0 / (64.0 * (1.0 + qv_rate.norm()));
    const auto numerical = test::central_difference(adapted_velocities, 0.0, h);
    const VectorXd f = this->rate(t, y);
    // Two solves, with B and with M, in either formulation.
    const double tolerance = 200.0 * unit_roundoff * this->condition_of_frame(y) * (1.0 + f.norm());
    EXPECT_LE((f.head(this->nq) - qv_rate.head(this->nq)).norm(), tolerance);
    EXPECT_LE((f.segment(this->nq, this->n) - numerical.value).norm(),
              tolerance + 2.0 * numerical.bound);
    EXPECT_LE((f.tail(this->m) - qv_rate.tail(this->m)).norm(), tolerance);
    // Negative control: without the rate of B the derivative is another.
    const Coordinates<TypeParam> q = y.head(this->nq);
    const Velocities<TypeParam> a = qv_rate.segment(this->nq, this->n);
    EXPECT_GT((this->frame.template at<double>(q) * a - numerical.value).norm(),
              10.0 * (tolerance + 2.0 * numerical.bound));
  }
}

// λ of the motion is C η + D ε^(−β) G v of the natural formulation.
TYPED_TEST(Adapted, MotionIsThatOfTheNaturalFormulation) {
  const auto natural = compliant_ode(this->sys, this->start, this->law, this->epsilon, this->eta0);
  const VectorXd y = this->random_y();
  Solution adapted_solution, natural_solution;
  adapted_solution.times = natural_solution.times = {0.5};
  adapted_solution.states = this->output(y);
  natural_solution.states = this->output(y).head(this->size);
  const Motion adapted = this->rolling.motion(adapted_solution);
  const Motion expected = natural.motion(natural_solution);
  const double tolerance =
      50.0 * unit_roundoff * this->condition_of_frame(y) * (1.0 + expected.lambda.norm());
  EXPECT_EQ(adapted.q, expected.q);
  EXPECT_EQ(adapted.v, expected.v);
  EXPECT_EQ(adapted.times, expected.times);
  EXPECT_LE((adapted.lambda - expected.lambda).norm(), tolerance);
  EXPECT_GT(expected.lambda.norm(), 1e3 * tolerance);
}

// The difference's bound, plus 500 roundings of J (solves with B and M).
TYPED_TEST(Adapted, JacobianIsTheDerivativeOfTheRightHandSide) {
  for (int i = 0; i < 5; ++i) {
    const VectorXd y = this->random_y();
    const double t = this->random.uniform(0.0, 3.0);
    const auto at_t = [&](const VectorXd& z) { return this->rate(t, z); };
    const auto numerical = test::central_jacobian(at_t, y, 1.0 / 512.0);
    MatrixXd J = MatrixXd::Constant(this->size, this->size, 777.0);
    this->ode.jacobian(t, y, J);
    const double rounding =
        500.0 * unit_roundoff * this->condition_of_frame(y) * J.cwiseAbs().maxCoeff();
    EXPECT_LE((J - numerical.value).cwiseAbs().maxCoeff(), numerical.bound + rounding);
    // Negative control: with a frozen frame, v = B(q̄)⁻¹ (u, w), the first rows have no ∂v/∂q.
    MatrixXd frozen = J;
    frozen.topLeftCorner(this->nq, this->nq).setZero();
    EXPECT_GT((frozen - numerical.value).cwiseAbs().maxCoeff(), 1e2 * numerical.bound + rounding);
  }
}

TYPED_TEST(Adapted, TimeDerivativeIsThereIffTheForceDependsOnTime) {
  ASSERT_EQ(static_cast<bool>(this->ode.time_derivative), HasTimeDependentForce<TypeParam>);
  if (!this->ode.time_derivative) return;
  const VectorXd y = this->random_y();
  const auto at_y = [&](double t) { return this->rate(t, y); };
  const auto numerical = test::central_difference(at_y, 0.9, 1.0 / 64.0);
  VectorXd dfdt = VectorXd::Constant(this->size, 777.0);
  this->ode.time_derivative(0.9, y, dfdt);
  const double tolerance =
      numerical.bound + 500.0 * unit_roundoff * this->condition_of_frame(y) * dfdt.norm();
  EXPECT_LE((dfdt - numerical.value).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_GT(dfdt.norm(), 1e3 * tolerance);  // negative control: zero would not do
}

// The columns of (w, η): −P D ε^(−β) + R, −P C in the rows of u, P = S M⁻¹ Gᵀ; −A D ε^(−β) + R, −A
// C in those of w; I/ε², 0 in those of η; R, 0 in those of q. The slow part R does not depend on ε:
// λ enters through (u, w)' = … − (P, A) λ alone. Rounding is relative to the largest entry.
TYPED_TEST(Adapted, FastColumnsAreTheJacobiansUpToASlowPartThatIsTheSameForAllEpsilon) {
  const Index slow = this->size - 2 * this->m;
  const VectorXd y = this->random_y();
  MatrixXd slow_part;
  for (const double eps : {1.0, 0.1, 0.01, 0.001}) {
    const OdeProblem problem =
        compliant_adapted(this->sys, this->start, this->law, eps, this->eta0).problem;
    ASSERT_TRUE(problem.fast);
    std::vector<Index> expected;
    for (Index i = slow; i < this->size; ++i) expected.push_back(i);
    EXPECT_EQ(problem.fast->components, expected);
    MatrixXd J(this->size, this->size), fast = MatrixXd::Constant(2 * this->m, 2 * this->m, 777.0);
    MatrixXd coupling = MatrixXd::Constant(slow, 2 * this->m, 777.0);
    problem.jacobian(0.3, y, J);
    problem.fast->jacobian(y, fast);
    problem.fast->coupling(y, coupling);
    MatrixXd rest = J.rightCols(2 * this->m);
    rest.topRows(slow) -= coupling;
    rest.bottomRows(2 * this->m) -= fast;
    const double tolerance =
        500.0 * this->n * unit_roundoff * this->condition_of_frame(y) * fast.cwiseAbs().maxCoeff();
    EXPECT_LE(rest.rightCols(this->m).cwiseAbs().maxCoeff(), tolerance) << eps;
    EXPECT_EQ(rest.bottomRows(this->m).cwiseAbs().maxCoeff(), 0.0) << eps;
    EXPECT_EQ(coupling.topRows(this->nq).cwiseAbs().maxCoeff(), 0.0) << eps;
    if (eps == 1.0) slow_part = rest.leftCols(this->m);
    EXPECT_LE((rest.leftCols(this->m) - slow_part).cwiseAbs().maxCoeff(), tolerance) << eps;
    EXPECT_GT(coupling.cwiseAbs().maxCoeff(), 1e3 * tolerance);  // negative control: zero won't do
  }
  // Negative control: there is a slow part to be left out, of fast and of slow rows.
  EXPECT_GT(slow_part.topRows(slow).norm(), 1e-3);
  EXPECT_GT(slow_part.middleRows(slow, this->m).norm(), 1e-3);
}

// New coordinates, the same body: the output stays, and y_new = change · y_old. Rounding as above,
// for two frames.
TYPED_TEST(Adapted, ChangeMapsOldToNewCoordinates) {
  const auto& coordinates = *this->ode.coordinates;
  const VectorXd y_old = this->random_y();
  VectorXd y = y_old;
  const VectorXd before = this->output(y_old);
  MatrixXd change = MatrixXd::Constant(this->size, this->size, 777.0);
  const bool moved = coordinates.rechoose(0.0, y, change);
  ASSERT_EQ(moved, !HasQuasiVelocities<TypeParam>);
  if (!moved) {
    EXPECT_EQ(y, y_old);
    EXPECT_EQ(change, MatrixXd::Constant(this->size, this->size, 777.0));
    return;
  }
  const double tolerance = 200.0 * unit_roundoff * this->condition_of_frame(y_old) * 10.0;
  EXPECT_LE((change * y_old - y).norm(), tolerance);
  EXPECT_LE((this->output(y) - before).norm(), tolerance);
  EXPECT_GT((y_old - y).norm(), 1e-3);  // negative control: the coordinates did change
  EXPECT_GT((this->output(y_old) - before).norm(), 1e-3);

  // At q̄ the condition number is 1: a bound above it changes nothing more.
  const VectorXd settled = y;
  EXPECT_FALSE(coordinates.rechoose(1.0 + 1e-6, y, change));
  EXPECT_EQ(y, settled);
  // Back to the start: bit by bit.
  coordinates.reset();
  EXPECT_EQ(this->output(y_old), before);
}

}  // namespace
}  // namespace rigidlimit
