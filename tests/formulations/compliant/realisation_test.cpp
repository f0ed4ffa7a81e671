// Tests realisations of the constraint in (q, v): their equations and derivatives.
#include "rigidlimit/formulations/compliant/realisation.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "support/central_difference.hpp"
#include "support/realised_systems.hpp"

namespace rigidlimit {
namespace {

using test::damper;
using test::RandomNumbers;
using test::Skate;
using test::skate_start;

constexpr std::array all_realisations{Realisation::viscous, Realisation::parasitic,
                                      Realisation::baumgarte, Realisation::inertial};

std::vector<System> model_systems() {
  return {make_system(Skate{}), make_system(test::DrivenPendulum{}),
          make_system(test::TwoContacts{})};
}

/// M v' − F + Gᵀ(contact force), zero for a law with a contact force.
VectorXd unbalanced(const System& system, const InitialState& at, double t, const VectorXd& a,
                    const VectorXd& contact_force) {
  const Equations<double>& equations = system.in<double>();
  MatrixXd M(system.n, system.n), G(system.m, system.n);
  VectorXd F(system.n);
  equations.mass_matrix(at.q, M);
  equations.constraints(at.q, G);
  equations.force(at.q, at.v, t, F);
  return M * a - F + G.transpose() * contact_force;
}

struct Instant {
  VectorXd acceleration, lambda;
};

/// v' and λ at (q, v), t.
Instant at_once(const System& system, const InitialState& at, double t, Realisation kind,
                double delta) {
  const auto problem = realised(system, at, kind, damper(system.m), delta);
  VectorXd f(problem.problem.y0.size());
  problem.problem.rhs(t, problem.problem.y0, f);
  Solution solution;
  solution.times = {t};
  solution.states = problem.problem.y0;
  return {f.tail(system.n), problem.motion(solution).lambda.col(0)};
}

// Each law is inserted into its equation at random states, δ = 0.05. Terms are below 1e3 (λ is some
// 20 w for the stiffest), condition numbers below 100: 1e5 roundings of u.
TEST(Realisation, SatisfiesTheEquationsOfItsLaw) {
  RandomNumbers random(501);
  const double delta = 0.05, tolerance = 1e5 * test::unit_roundoff * 1e3;
  for (const System& system : model_systems()) {
    VectorXd q(system.nq), v(system.n);
    for (double& x : q) x = random.uniform();
    for (double& x : v) x = random.uniform(-2.0, 2.0);
    const InitialState at{q, v};
    const double t = 0.4;
    const VectorXd w = sliding_velocity(system, at);
    for (const Realisation kind :
         {Realisation::viscous, Realisation::parasitic, Realisation::baumgarte}) {
      const Instant now = at_once(system, at, t, kind, delta);
      EXPECT_LE(unbalanced(system, at, t, now.acceleration, now.lambda).norm(), tolerance);
      EXPECT_GT(unbalanced(system, at, t, now.acceleration, 1.01 * now.lambda).norm(), 1e-4)
          << "negative control";
    }
    const VectorXd viscous = at_once(system, at, t, Realisation::viscous, delta).lambda;
    EXPECT_LE((viscous - damper(system.m) * w / delta).norm(), tolerance);

    const Instant ahead = at_once(system, at, t, Realisation::parasitic, delta);
    const VectorXd v_ahead = v + delta * ahead.acceleration;
    const auto looking_at = [&](double time) {
      return sliding_velocity(system, {q + time * v, v_ahead}).norm();
    };
    EXPECT_LE(looking_at(delta), tolerance);
    EXPECT_GT(looking_at(0.0), 1e-4) << "negative control: the rows are those ahead";

    const Instant drawn = at_once(system, at, t, Realisation::baumgarte, delta);
    MatrixXd G(system.m, system.n);
    VectorXd drift(system.m);
    system.in<double>().constraints(q, G);
    system.in<double>().constraint_drift(q, v, v, drift);
    EXPECT_LE((G * drawn.acceleration + drift + w / delta).norm(), tolerance);
  }
}

// The Jacobian is compared with sixth-order differences, which bound their own error. λ and the
// terms of the inertial law contain 1/δ = 10, so 1e3 roundings per evaluation are allowed.
TEST(Realisation, JacobianIsTheDerivativeOfTheRightHandSide) {
  RandomNumbers random(502);
  const double delta = 0.1, t = 0.7;
  for (const System& system : model_systems())
    for (const Realisation kind : all_realisations) {
      VectorXd y(system.nq + system.n);
      for (double& x : y) x = random.uniform();
      const auto problem_at = [&](double parameter) {
        return realised(system, {y.head(system.nq), y.tail(system.n)}, kind, damper(system.m),
                        parameter)
            .problem;
      };
      const OdeProblem ode = problem_at(delta);
      MatrixXd J(y.size(), y.size()), other = J;
      ode.jacobian(t, y, J);
      const auto rate = [&](const VectorXd& at) {
        VectorXd f(at.size());
        ode.rhs(t, at, f);
        return f;
      };
      const auto expected = test::central_jacobian(rate, y, 1e-2, 1e3);
      const auto largest = [&](const MatrixXd& jacobian) {
        return (jacobian - expected.value).cwiseAbs().maxCoeff();
      };
      EXPECT_LE(largest(J), expected.bound) << static_cast<int>(kind);
      problem_at(1.01 * delta).jacobian(t, y, other);
      EXPECT_GT(largest(other), expected.bound) << "negative control: another δ";
    }
}

// By hand: ∂v'/∂t = M⁻¹ (2 drive cos 2t, 0) where the law adds no term that depends on t.
TEST(Realisation, TimeDerivativeOfADrivenSystemMatches) {
  const test::DrivenPendulum sys;
  RandomNumbers random(503);
  const InitialState start = test::sliding_state<test::DrivenPendulum>(random);
  const double t = 0.4;
  const OdeProblem ode =
      realised(make_system(sys), start, Realisation::viscous, damper(1), 0.1).problem;
  VectorXd dfdt(4), expected = VectorXd::Zero(4);
  expected.tail(2) = sys.mass_matrix_by_hand(start.q).inverse() *
                     Eigen::Vector2d(2.0 * sys.drive * std::cos(2.0 * t), 0.0);
  ode.time_derivative(t, ode.y0, dfdt);
  EXPECT_LE((dfdt - expected).norm(), 100.0 * test::unit_roundoff * expected.norm());  // cond < 20
  EXPECT_FALSE(realised(make_system(Skate{}), skate_start, Realisation::viscous, damper(1), 0.1)
                   .problem.time_derivative);
}

TEST(Realisation, InertialLawRefusesQuasiVelocities) {
  const System body = make_system(test::BodyFrameSkate{});
  const InitialState start{VectorXd::Constant(4, 0.5), VectorXd::Zero(3)};
  EXPECT_THROW(realised(body, start, Realisation::inertial, damper(1), 0.1), InputError);
  EXPECT_NO_THROW(realised(body, start, Realisation::parasitic, damper(1), 0.1));
}

}  // namespace
}  // namespace rigidlimit
