// Tests a user-defined system: the nonholonomic particle y' = z x', pulled along x.
#include <gtest/gtest.h>

#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/solvers/sundials/cvode.hpp"
#include "rigidlimit/testing/gtest.hpp"

namespace {

using namespace rigidlimit::testing;

/// q = (x, y, z), mass 1, force (1, 0, 0), G = (−z, 1, 0).
struct Particle {
  static constexpr int nq = 3, n = 3, m = 1;
  template <class S>
  rigidlimit::Matrix<S, 3, 3> mass_matrix(const rigidlimit::Vector<S, 3>&) const {
    return rigidlimit::Matrix<S, 3, 3>::Identity();
  }
  template <class S>
  rigidlimit::Vector<S, 3> force(const rigidlimit::Vector<S, 3>&,
                                 const rigidlimit::Vector<S, 3>&) const {
    return {S(1), S(0), S(0)};
  }
  template <class S>
  rigidlimit::Matrix<S, 1, 3> constraint(const rigidlimit::Vector<S, 3>& q) const {
    return {-q(2), S(1), S(0)};
  }
};

/// x(T) of the compliant motion, T = 1, from z = t/2, x' = 1, y' = 0 (consistent: z(0) = 0). The
/// contact is critically damped where A = 1.
double end_of(double epsilon, double rtol) {
  rigidlimit::InitialState start{rigidlimit::VectorXd::Zero(3), rigidlimit::VectorXd::Zero(3)};
  start.v << 1.0, 0.0, 0.5;
  const rigidlimit::ViscoelasticLaw law{.stiffness = rigidlimit::MatrixXd::Ones(1, 1),
                                        .damping = 2.0 * rigidlimit::MatrixXd::Ones(1, 1)};
  const auto compliant = rigidlimit::compliant_ode(rigidlimit::make_system(Particle{}), start, law,
                                                   epsilon, rigidlimit::VectorXd::Zero(1));
  rigidlimit::SolveOptions options;
  options.rtol = rtol;
  options.atol = 1e-2 * rtol;
  const rigidlimit::Solution solution =
      rigidlimit::solve_cvode_bdf(compliant.problem, {0.0, 1.0}, options);
  EXPECT_EQ(solution.outcome, rigidlimit::Outcome::success) << solution.message;
  return solution.states(0, 1);
}

/// Rigid: (1 + z²) x'' + z z' x' = 1, so (√(1 + z²) x')' = 1/√(1 + z²), with z = t/2:
/// x' = (1 + 2 asinh(t/2))/√(1 + t²/4), and x(1) = 2 s + 2 s², s = asinh(1/2).
double rigid_end() {
  const double s = std::asinh(0.5);
  return 2.0 * s + 2.0 * s * s;
}

ErrorSeries particle_errors() {
  ErrorSeries series{.name = "x(T) of the particle"};
  for (const double epsilon : {0.02, 0.01, 0.005, 0.0025}) {
    const double x = end_of(epsilon, 1e-10);
    series.epsilons.push_back(epsilon);
    series.errors.push_back(std::abs(x - rigid_end()));
    series.floors.push_back(std::abs(x - end_of(epsilon, 1e-11)) / 0.9);
  }
  return series;
}

// docs/theory.md, section 2: order 2 in q for consistent data.
TEST(Particle, ConvergesToRigidRollingWithOrderTwo) {
  EXPECT_THAT(particle_errors(), ConvergesWithOrder(2).within(0.1));
  EXPECT_THAT(particle_errors(), SolverErrorStaysBelow(1e-6));
}

// Negative control, run by name only: it must fail with the reason.
TEST(Particle, DISABLED_HasNotOrderOne) {
  EXPECT_THAT(particle_errors(), ConvergesWithOrder(1).within(0.1));
}

}  // namespace
