// Rigid rolling in (q, u), and in (q, v, Λ) with a constant mass matrix.
#include "rigidlimit/formulations/rigid_reduced.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/formulations/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid_semi_explicit.hpp"
#include "support/central_difference.hpp"
#include "support/model_derivatives.hpp"
#include "support/model_systems.hpp"
#include "support/random_state.hpp"

namespace rigidlimit {
namespace {

using test::unit_roundoff;
using Sys = test::BodyFrameSkate;  // T ≠ I, nq ≠ n, explicit t, M(q)
constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, free_velocities = n - m;

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

  const auto at_y = [&](double s) { return rate(problem, s, y); };
  const auto in_time = test::central_difference(at_y, t, 1.0 / 64.0);
  VectorXd dfdt = VectorXd::Constant(y.size(), 777.0);
  problem.time_derivative(t, y, dfdt);
  EXPECT_LE((dfdt - in_time.value).cwiseAbs().maxCoeff(), in_time.bound + rounding);
  EXPECT_GT(dfdt.norm(), 1e3 * (in_time.bound + rounding));  // negative control
}

// Along the flow of the eliminated form, u = S v changes at the rate of the reduced one, G v stays
// zero, and q' is the same: by differences along that flow.
TEST(RigidReduced, IsTheEliminatedFlowInOtherVariables) {
  const Sys sys;
  test::RandomNumbers random(221);
  for (int i = 0; i < 10; ++i) {
    const InitialState start = test::rolling_state(sys, random);
    const OdeProblem reduced = rigid_reduced(sys, start).problem;
    const OdeProblem eliminated = rigid_eliminated(sys, start).problem;
    const double t = random.uniform(0.0, 3.0);
    const VectorXd f = rate(reduced, t, reduced.y0), qv_rate = rate(eliminated, t, eliminated.y0);
    const AdaptedFrame<Sys> frame(sys, start.q, {});
    const auto adapted = [&](double tau) -> VectorXd {
      const VectorXd moved = eliminated.y0 + tau * qv_rate;
      const Coordinates<Sys> q = moved.head<nq>();
      return frame.at<double>(q) * moved.tail<n>();
    };
    const auto numerical = test::central_difference(adapted, 0.0, 1.0 / 256.0);
    const double tolerance = 2.0 * numerical.bound + 1e4 * unit_roundoff * (1.0 + f.norm());
    ASSERT_EQ(f.size(), nq + free_velocities);
    EXPECT_LE((f.head<nq>() - qv_rate.head<nq>()).norm(), tolerance);
    EXPECT_LE((f.tail<free_velocities>() - numerical.value.topRows<free_velocities>()).norm(),
              tolerance);
    EXPECT_LE(numerical.value.bottomRows<m>().norm(), tolerance);
    VectorXd output(nq + n);
    reduced.coordinates->output(0.0, reduced.y0, output);
    EXPECT_LE((output - eliminated.y0).norm(), 1e4 * unit_roundoff);
    // Negative control: the contact force matters.
    const Coordinates<Sys> q = start.q;
    const Velocities<Sys> v = start.v;
    const Velocities<Sys> free_fall = mass_matrix(sys, q).ldlt().solve(force(sys, q, v, t));
    EXPECT_GT((free_fall - qv_rate.tail<n>()).norm(), 1e-3);
  }
}

TEST(RigidReduced, DerivativesAreThoseOfTheRightHandSide) {
  const Sys sys;
  test::RandomNumbers random(222);
  const OdeProblem problem = rigid_reduced(sys, test::rolling_state(sys, random)).problem;
  for (int i = 0; i < 3; ++i) {
    const VectorXd y = problem.y0 + 0.2 * random.vector<nq + free_velocities>();
    expect_exact_derivatives(problem, 0.9, y);
  }
}

// New coordinates, the same body.
TEST(RigidReduced, ChangeMapsOldToNewCoordinates) {
  const Sys sys;
  test::RandomNumbers random(223);
  const OdeProblem problem = rigid_reduced(sys, test::rolling_state(sys, random)).problem;
  const VectorXd y_old = problem.y0 + 0.2 * random.vector<nq + free_velocities>();
  VectorXd y = y_old, before(nq + n), after(nq + n);
  MatrixXd change(y.size(), y.size());
  problem.coordinates->output(0.0, y_old, before);
  ASSERT_TRUE(problem.coordinates->rechoose(0.0, y, change));
  problem.coordinates->output(0.0, y, after);
  EXPECT_LE((after - before).norm(), 1e4 * unit_roundoff);
  EXPECT_LE((change * y_old - y).norm(), 1e4 * unit_roundoff);
  EXPECT_GT((y - y_old).norm(), 1e-3);  // negative control
}

// q' = T v, v' and Λ of the KKT system, G v = 0: at a consistent start the last rows vanish.
TEST(RigidSemiExplicit, StartIsConsistentAndDerivativesAreExact) {
  const Sys sys;
  test::RandomNumbers random(224);
  const InitialState start = test::rolling_state(sys, random);
  const MassProblemOf<double> dae = rigid_semi_explicit(sys, start).problem;
  const Coordinates<Sys> q = start.q;
  const Velocities<Sys> v = start.v;
  const auto kkt = solve_kkt(sys, q, v, 0.0);
  const VectorXd f = rate(dae, 0.0, dae.y0);
  const double tolerance = 1e3 * unit_roundoff * (1.0 + kkt.acceleration.norm());
  EXPECT_LE((f.head<nq>() - coordinate_rate(sys, q, v)).norm(), tolerance);
  EXPECT_LE((f.segment<n>(nq) - kkt.acceleration).norm(), tolerance);
  EXPECT_LE(f.tail<m>().norm(), tolerance);
  EXPECT_EQ(dae.y0.tail<m>(), kkt.multiplier);
  for (int i = 0; i < nq + n + m; ++i) {
    EXPECT_EQ(dae.index[static_cast<std::size_t>(i)], i < nq + n ? 0 : 2);
    EXPECT_EQ(dae.mass(i, i), i < nq + n ? 1.0 : 0.0);
  }
  EXPECT_EQ(dae.mass.sum(), nq + n);
  const VectorXd y = dae.y0 + 0.2 * random.vector<nq + n + m>();
  expect_exact_derivatives(dae, 0.9, y);
}

}  // namespace
}  // namespace rigidlimit
