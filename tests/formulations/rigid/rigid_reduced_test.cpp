// Tests rigid rolling in (q, u).
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/formulations/compliant/adapted_frame.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/mechanics/inertia.hpp"
#include "support/adapted_systems.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit {
namespace {

using test::unit_roundoff;

struct Model {
  const char* name;
  System (*make)();
};

// T ≠ I, nq ≠ n, explicit t, M(q); m = 3 of rank 2; an exact row, invariants and singular M.
class RigidReduced : public testing::TestWithParam<Model> {
 protected:
  System system = GetParam().make();
  Index nq = system.nq, n = system.n;
};
INSTANTIATE_TEST_SUITE_P(
    Systems, RigidReduced,
    testing::Values(Model{"skate", test::skate},
                    Model{"quasi_velocities", test::skate_with_quasi_velocities},
                    Model{"proportional_contacts", test::proportional_contacts},
                    Model{"bead_on_cylinder", test::bead_on_cylinder}),
    [](const testing::TestParamInfo<Model>& model) { return std::string(model.param.name); });

/// f of a problem at (t, y).
VectorXd rate(const OdeProblem& problem, double t, const VectorXd& y) {
  VectorXd f = VectorXd::Constant(y.size(), 777.0);
  problem.rhs(t, y, f);
  return f;
}

/// The Jacobian and the time derivative are those of the right-hand side: the difference's bound,
/// plus 1e4 roundings (two solves with condition numbers below 100).
void expect_exact_derivatives(const OdeProblem& problem, double t, const VectorXd& y) {
  const auto at_t = [&](const VectorXd& z) { return rate(problem, t, z); };
  const auto numerical = test::central_jacobian(at_t, y, 1.0 / 512.0);
  MatrixXd J = MatrixXd::Constant(y.size(), y.size(), 777.0);
  problem.jacobian(t, y, J);
  const double rounding = 1e4 * unit_roundoff * J.cwiseAbs().maxCoeff();
  EXPECT_LE((J - numerical.value).cwiseAbs().maxCoeff(), numerical.bound + rounding);
  EXPECT_LT(numerical.bound, 1e-6 * J.cwiseAbs().maxCoeff());

  if (!problem.time_derivative) return;
  const auto at_y = [&](double s) { return rate(problem, s, y); };
  const auto in_time = test::central_difference(at_y, t, 1.0 / 64.0);
  VectorXd dfdt = VectorXd::Constant(y.size(), 777.0);
  problem.time_derivative(t, y, dfdt);
  EXPECT_LE((dfdt - in_time.value).cwiseAbs().maxCoeff(), in_time.bound + rounding);
  EXPECT_GT(dfdt.norm(), 1e3 * (in_time.bound + rounding));  // negative control
}

// Along the flow of the eliminated form, u = S v changes at the rate of the reduced form, G v stays
// zero, and q' is the same; all by differences along that flow.
TEST_P(RigidReduced, IsTheEliminatedFlowInOtherVariables) {
  test::RandomNumbers random(221);
  for (int i = 0; i < 10; ++i) {
    const InitialState start = test::rolling_state(system, random);
    const OdeProblem reduced = rigid_reduced(system, start).problem;
    const OdeProblem eliminated = rigid_eliminated(system, start).problem;
    const double t = random.uniform(0.0, 3.0);
    const VectorXd f = rate(reduced, t, reduced.y0), qv_rate = rate(eliminated, t, eliminated.y0);
    const AdaptedFrame frame(system, start.q, {});
    const auto adapted = [&](double tau) -> VectorXd {
      const VectorXd moved = eliminated.y0 + tau * qv_rate;
      return frame.at(moved.head(nq)) * moved.tail(n);
    };
    const auto numerical = test::central_difference(adapted, 0.0, 1.0 / 256.0);
    const double tolerance = 2.0 * numerical.bound + 1e4 * unit_roundoff * (1.0 + f.norm());
    ASSERT_EQ(f.size(), nq + frame.free());
    EXPECT_LE((f.head(nq) - qv_rate.head(nq)).norm(), tolerance);
    EXPECT_LE((f.tail(frame.free()) - numerical.value.topRows(frame.free())).norm(), tolerance);
    EXPECT_LE(numerical.value.bottomRows(n - frame.free()).norm(), tolerance);
    VectorXd output(nq + n);
    reduced.coordinates->output(0.0, reduced.y0, output);
    EXPECT_LE((output - eliminated.y0).norm(), 1e4 * unit_roundoff);
    // Negative control: the contact force matters.
    Inertia<double> inertia;
    inertia.compute(system, start.q);
    VectorXd F(n);
    system.in<double>().force(start.q, start.v, t, F);
    EXPECT_GT((inertia.solve(MatrixXd(F)) - qv_rate.tail(n)).norm(), 1e-3);
  }
}

TEST_P(RigidReduced, DerivativesAreThoseOfTheRightHandSide) {
  test::RandomNumbers random(222);
  const OdeProblem problem = rigid_reduced(system, test::rolling_state(system, random)).problem;
  ASSERT_EQ(static_cast<bool>(problem.time_derivative), system.explicit_time);
  for (int i = 0; i < 3; ++i) {
    const VectorXd y = problem.y0 + test::random_vector(random, problem.y0.size(), 0.2);
    expect_exact_derivatives(problem, 0.9, y);
  }
}

// New coordinates describe the same body.
TEST_P(RigidReduced, ChangeMapsOldToNewCoordinates) {
  test::RandomNumbers random(223);
  const OdeProblem problem = rigid_reduced(system, test::rolling_state(system, random)).problem;
  const VectorXd y_old = problem.y0 + test::random_vector(random, problem.y0.size(), 0.2);
  VectorXd y = y_old, before(nq + n), after(nq + n);
  MatrixXd change(y.size(), y.size());
  problem.coordinates->output(0.0, y_old, before);
  ASSERT_EQ(problem.coordinates->rechoose(0.0, y, change), !system.natural_velocities);
  if (system.natural_velocities) return;
  problem.coordinates->output(0.0, y, after);
  EXPECT_LE((after - before).norm(), 1e4 * unit_roundoff);
  EXPECT_LE((change * y_old - y).norm(), 1e4 * unit_roundoff);
  EXPECT_GT((y - y_old).norm(), 1e-3);  // negative control
}

// HᵀΛ acts on the body: M a = F − Eᵀκ − GᵀΛ on ker E, for the a of the eliminated form.
TEST_P(RigidReduced, MultiplierIsThatOfTheMotion) {
  test::RandomNumbers random(224);
  const InitialState start = test::rolling_state(system, random);
  const auto rolling = rigid_reduced(system, start);
  Solution solution;
  solution.times = {0.4};
  solution.states = VectorXd(nq + n);
  solution.states << start.q, start.v;
  const Motion motion = rolling.motion(solution);
  MatrixXd rows(system.ne + system.m, n);
  VectorXd F(n);
  system.in<double>().constraints(start.q, rows);
  system.in<double>().force(start.q, start.v, 0.4, F);
  Inertia<double> inertia;
  inertia.compute(system, start.q);
  const VectorXd total = F - rows.bottomRows(system.m).transpose() * motion.lambda.col(0);
  const VectorXd a = rate(rigid_eliminated(system, start).problem, 0.4, solution.states).tail(n);
  VectorXd q_rate(nq), drift(system.ne + system.m), with_contact(n);
  system.in<double>().coordinate_rate(start.q, start.v, q_rate);
  system.in<double>().constraint_drift(start.q, q_rate, start.v, drift);
  inertia.solve(total, VectorXd(-drift.head(system.ne)), with_contact);
  EXPECT_LE((with_contact - a).norm(), 1e4 * unit_roundoff * (1.0 + a.norm()));
  EXPECT_GT(motion.lambda.norm(), 1e-3);  // negative control
}

}  // namespace
}  // namespace rigidlimit
