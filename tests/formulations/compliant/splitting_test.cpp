// Tests the splittings of the compliant problems: two parts that sum to f, and the large terms of
// the stiff part.
#include <gmock/gmock.h>

#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/catalogue_system.hpp"
#include "support/central_difference.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::CatalogueSystem;
using test::RandomNumbers;
using test::unit_roundoff;

OdeProblem in_natural(const CatalogueSystem& s, double eps) {
  return compliant_ode(s.model, s.start, s.law, eps, s.eta0).problem;
}
OdeProblem in_adapted(const CatalogueSystem& s, double eps) {
  return compliant_adapted(s.model, s.start, s.law, eps, s.eta0).problem;
}

/// A state near the start, where every system is regular.
VectorXd near_the_start(const OdeProblem& problem, RandomNumbers& random) {
  VectorXd y = problem.y0;
  for (double& x : y) x += random.uniform(-0.1, 0.1);
  return y;
}

template <class Rate>
VectorXd value(const Rate& f, double t, const VectorXd& y) {
  VectorXd dydt = VectorXd::Constant(y.size(), 777.0);
  f(t, y, dydt);
  return dydt;
}

// Two solves with M instead of one: 1000 roundings of the terms, in the largest norm of the parts.
TEST(SplittingOfACompliantProblem, PartsSumToTheRightHandSide) {
  RandomNumbers random(301);
  for (const SystemEntry& entry : builtin_systems()) {
    if (!entry.rolls()) continue;
    const CatalogueSystem system(entry);
    for (const auto& make : {in_natural, in_adapted}) {
      const OdeProblem problem = make(system, 0.1);
      ASSERT_TRUE(problem.splitting);
      for (int i = 0; i < 5; ++i) {
        const VectorXd y = near_the_start(problem, random);
        const double t = random.uniform(0.0, 3.0);
        const VectorXd f = value(problem.rhs, t, y);
        const VectorXd stiff = value(problem.splitting->stiff, t, y);
        const VectorXd rest = value(problem.splitting->rest, t, y);
        const double tolerance = 1e3 * unit_roundoff * (1.0 + stiff.norm() + rest.norm());
        EXPECT_LE((stiff + rest - f).norm(), tolerance) << entry.info.name << ", " << problem.name;
        EXPECT_GT((rest - f).norm(), 1e3 * tolerance) << entry.info.name;  // negative control
        EXPECT_EQ(stiff.head(system.model.nq).norm(), 0.0) << entry.info.name;
        EXPECT_EQ(rest.tail(system.model.m).norm(), 0.0) << entry.info.name;
      }
    }
  }
}

// The difference's bound, and 1000 roundings of J.
TEST(SplittingOfACompliantProblem, HasAnExactStiffJacobianInNaturalVariables) {
  RandomNumbers random(302);
  for (const SystemEntry& entry : builtin_systems()) {
    if (!entry.rolls()) continue;
    const CatalogueSystem system(entry);
    const OdeProblem problem = in_natural(system, 0.1);
    const VectorXd y = near_the_start(problem, random);
    const auto stiff = [&](const VectorXd& z) { return value(problem.splitting->stiff, 0.3, z); };
    const auto numerical = test::central_jacobian(stiff, y, 1.0 / 256.0);
    MatrixXd J = MatrixXd::Constant(y.size(), y.size(), 777.0);
    problem.splitting->stiff_jacobian(0.3, y, J);
    const double tolerance = numerical.bound + 1e3 * unit_roundoff * J.cwiseAbs().maxCoeff();
    EXPECT_LE((J - numerical.value).cwiseAbs().maxCoeff(), tolerance) << entry.info.name;
    // Negative control: the columns of (v, η) alone fail where G depends on q.
    const double columns_of_q = numerical.value.leftCols(system.model.nq).cwiseAbs().maxCoeff();
    if (columns_of_q > 1e-6) {
      EXPECT_GT(columns_of_q, 10.0 * tolerance) << entry.info.name;
    }
  }
}

// Columns of q and u are omitted. Those of (w, η) differ from the derivative by a part independent
// of ε. (w, η) enters the large terms linearly: the difference is exact up to 1000 roundings.
TEST(SplittingOfACompliantProblem, HasTheLargeColumnsOfItsStiffJacobianInAdaptedVariables) {
  for (const SystemEntry& entry : builtin_systems()) {
    if (!entry.rolls()) continue;
    RandomNumbers random(303);
    const CatalogueSystem system(entry);
    const VectorXd y = near_the_start(in_adapted(system, 0.1), random);
    const Index fast = 2 * system.contacts.rank(), slow = y.size() - fast;
    const auto left_out = [&](double eps, double& tolerance) -> MatrixXd {
      const OdeProblem problem = in_adapted(system, eps);
      const auto stiff = [&](const VectorXd& z) { return value(problem.splitting->stiff, 0.3, z); };
      const auto numerical = test::central_jacobian(stiff, y, 1.0 / 256.0);
      MatrixXd J = MatrixXd::Constant(y.size(), y.size(), 777.0);
      problem.splitting->stiff_jacobian(0.3, y, J);
      EXPECT_EQ(J.leftCols(slow).norm(), 0.0) << entry.info.name;
      EXPECT_GT(J.cwiseAbs().maxCoeff(), 0.5 / (eps * eps)) << entry.info.name;
      tolerance += numerical.bound + 1e3 * unit_roundoff * J.cwiseAbs().maxCoeff();
      return (numerical.value - J).rightCols(fast);
    };
    double tolerance = 0.0;
    const MatrixXd at_one = left_out(1.0, tolerance), at_small = left_out(0.05, tolerance);
    EXPECT_LE((at_one - at_small).cwiseAbs().maxCoeff(), tolerance) << entry.info.name;
    EXPECT_LT(tolerance, 1e-5 * 0.5 / (0.05 * 0.05)) << entry.info.name;  // of the largest entry
  }
}

// An additive method in adapted variables needs no more steps for larger 1/ε, and gives the motion
// of an implicit method. 30 times the tolerance of q: some hundred accepted errors that partly
// cancel.
TEST(SplittingOfACompliantProblem, AdditiveMethodsSolveAStiffContact) {
  const CatalogueSystem system(*find_system(builtin_systems(), "knife_edge"));
  SolveOptions options;
  options.rtol = 1e-6;
  options.atol = 1e-8;
  const auto solved = [&](const char* method, double eps) {
    const Solution solution =
        find_ode_method(method)->solve(in_adapted(system, eps), {1.0}, options);
    EXPECT_EQ(solution.outcome, Outcome::success) << method << ": " << solution.message;
    return solution;
  };
  const Solution mild = solved("arkode_imex_ark437l2sa_7_3_4", 1e-2);
  const Solution stiff = solved("arkode_imex_ark437l2sa_7_3_4", 1e-5);
  EXPECT_LT(stiff.work.steps, 2 * mild.work.steps);
  options.rtol = 1e-10;
  options.atol = 1e-12;
  const Solution exact = solved("radau_iia", 1e-5);
  const Index nq = system.model.nq;
  EXPECT_LE((stiff.states - exact.states).topRows(nq).cwiseAbs().maxCoeff(), 3e-5);
}

}  // namespace
}  // namespace rigidlimit
