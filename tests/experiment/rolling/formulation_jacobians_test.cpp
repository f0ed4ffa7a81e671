// Tests the Jacobian and the initial state of every formulation of every catalogue system.
// Model systems with T ≠ I, explicit time and dependent coordinates: tests/formulations/thorough.
#include <gtest/gtest.h>

#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/formulations/rigid/rigid_semi_explicit.hpp"
#include "support/catalogue_system.hpp"
#include "support/central_difference.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

/// Tolerance: the bound of the difference quotient plus 1e5 roundings of the largest entry (two
/// solves with condition numbers below 1000, and the division by ε²).
void expect_exact_jacobian(const OdeProblem& problem, test::RandomNumbers& random) {
  VectorXd y = problem.y0;
  for (Index i = 0; i < y.size(); ++i) y(i) += random.uniform(-0.1, 0.1);
  const auto f = [&](const VectorXd& x) {
    VectorXd rate(x.size());
    problem.rhs(0.0, x, rate);
    return rate;
  };
  const auto numerical = test::central_jacobian(f, y, 1.0 / 4096.0);
  MatrixXd J(y.size(), y.size());
  problem.jacobian(0.0, y, J);
  const double tolerance = numerical.bound + 1e5 * test::unit_roundoff * J.cwiseAbs().maxCoeff();
  EXPECT_LE((J - numerical.value).cwiseAbs().maxCoeff(), tolerance) << problem.name;
  EXPECT_LT(tolerance, 1e-4 * J.cwiseAbs().maxCoeff()) << problem.name << ": a sharp test";
}

TEST(Formulations, JacobiansAreThoseOfTheRightHandSides) {
  test::RandomNumbers random(271);
  for (const SystemEntry& entry : builtin_systems()) {
    if (!entry.rolls() || entry.info.name == "sliding_sphere") continue;  // it starts sliding
    SCOPED_TRACE(entry.info.name);
    const test::CatalogueSystem s(entry);
    constexpr double eps = 0.25;
    expect_exact_jacobian(compliant_ode(s.model, s.start, s.law, eps, s.eta0).problem, random);
    for (const bool natural : {true, false}) {
      const AdaptedOptions options{.natural = natural};
      expect_exact_jacobian(
          compliant_adapted(s.model, s.start, s.law, eps, s.eta0, options).problem, random);
      expect_exact_jacobian(rigid_reduced(s.model, s.start, options).problem, random);
    }
    expect_exact_jacobian(rigid_eliminated(s.model, s.start).problem, random);
    expect_exact_jacobian(rigid_semi_explicit(s.model, s.start).problem, random);
  }
}

// The initial values of each problem convert back to (q, v), and the rigid formulations have the
// same q' = T v there.
TEST(Formulations, ReproduceTheInitialState) {
  for (const SystemEntry& entry : builtin_systems()) {
    if (!entry.rolls() || entry.info.name == "sliding_sphere") continue;  // it starts sliding
    SCOPED_TRACE(entry.info.name);
    const test::CatalogueSystem s(entry);
    for (const bool natural : {true, false}) {
      const OdeProblem reduced = rigid_reduced(s.model, s.start, {.natural = natural}).problem;
      VectorXd state(reduced.output_size());
      reduced.coordinates->output(0.0, reduced.y0, state);
      const VectorXd read = state.head(s.start.q.size() + s.start.v.size());
      VectorXd expected(read.size());
      expected << s.start.q, s.start.v;
      EXPECT_LE((read - expected).norm(), 1e-13 * (1.0 + expected.norm()));
    }
  }
}

}  // namespace
}  // namespace rigidlimit
