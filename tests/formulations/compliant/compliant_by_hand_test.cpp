// Tests viscoelastic rolling as a stiff ODE against right-hand sides derived by hand.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/central_difference.hpp"
#include "support/model_systems.hpp"
#include "support/random_state.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;

// A Lagrangian whose applied force depends on t: by hand ∂v'/∂t = M⁻¹ (2 drive cos 2t, 0).
TEST(CompliantByHand, TimeDerivativeOfADrivenLagrangianMatches) {
  const test::DrivenPendulum sys;
  RandomNumbers random(103);
  const InitialState start = test::sliding_state<test::DrivenPendulum>(random);
  const ViscoelasticLaw law{MatrixXd::Ones(1, 1), MatrixXd::Ones(1, 1), 1.0};
  const OdeProblem ode =
      compliant_ode(make_system(sys), start, law, 0.1, VectorXd::Ones(1)).problem;
  const double t = 0.4;
  VectorXd expected = VectorXd::Zero(5), dfdt(5);
  expected.segment(2, 2) = sys.mass_matrix_by_hand(start.q).inverse() *
                           Eigen::Vector2d(2.0 * sys.drive * std::cos(2.0 * t), 0.0);
  ode.time_derivative(t, ode.y0, dfdt);
  EXPECT_LE((dfdt - expected).norm(), 100.0 * unit_roundoff * expected.norm());  // cond M < 20
}

// By hand for the particle y' = z x': w = v_y − z v_x, λ = C η + D ε^(−β) w,
// mass v' = pull + λ (z, −1, 0), η' = w/ε². Some ten operations on numbers below 1/ε².
TEST(CompliantByHand, NonholonomicParticleMatches) {
  const test::NonholonomicParticle sys;
  RandomNumbers random(102);
  for (const double epsilon : {1.0, 0.1, 1e-4})
    for (const double exponent : {0.0, 1.0, 2.0}) {
      const double C = 3.0, D = 0.7;
      const ViscoelasticLaw law{MatrixXd::Constant(1, 1, C), MatrixXd::Constant(1, 1, D), exponent};
      const InitialState start = test::sliding_state<test::NonholonomicParticle>(random);
      const double eta = random.uniform(), z = start.q(2);
      const OdeProblem ode =
          compliant_ode(make_system(sys), start, law, epsilon, VectorXd::Constant(1, eta)).problem;
      VectorXd f(7);
      ode.rhs(0.0, ode.y0, f);
      const double w = start.v(1) - z * start.v(0);
      const double lambda = C * eta + D * std::pow(epsilon, -exponent) * w;
      VectorXd expected(7);
      expected << start.v, (sys.pull + lambda * Eigen::Vector3d(z, -1.0, 0.0)) / sys.mass,
          w / (epsilon * epsilon);
      const double tolerance = 10.0 * 4.0 * unit_roundoff / (epsilon * epsilon);
      EXPECT_LE((f - expected).cwiseAbs().maxCoeff(), tolerance);
    }
}

}  // namespace
}  // namespace rigidlimit
