// Every formulation of every system of the catalogue: its Jacobian is that of its right-hand side,
// and its motion at the start is the start. (Model systems with T ≠ I, explicit time and dependent
// coordinates: tests/formulations/thorough.)
#include <gtest/gtest.h>

#include "rigidlimit/study/catalogue.hpp"
#include "support/central_difference.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

/// The bound of the difference plus 1e5 roundings of the largest entry (two solves with condition
/// numbers below 1000 and the division by ε²).
void expect_exact_jacobian(const OdeProblem& problem, test::RandomNumbers& random) {
  VectorXd y = problem.y0;
  for (Index i = 0; i < y.size(); ++i) y(i) += random.uniform(-0.1, 0.1);
  const auto f = [&](const VectorXd& x) {
    VectorXd rate(x.size());
    problem.rhs(0.0, x, rate);
    return rate;
  };
  const auto numerical = test::central_jacobian(f, y, 1.0 / 512.0);
  MatrixXd J(y.size(), y.size());
  problem.jacobian(0.0, y, J);
  const double tolerance = numerical.bound + 1e5 * test::unit_roundoff * J.cwiseAbs().maxCoeff();
  EXPECT_LE((J - numerical.value).cwiseAbs().maxCoeff(), tolerance) << problem.name;
  EXPECT_LT(tolerance, 1e-4 * J.cwiseAbs().maxCoeff()) << problem.name << ": a sharp test";
}

TEST(Formulations, JacobiansAreThoseOfTheRightHandSides) {
  test::RandomNumbers random(271);
  for (const SystemEntry& entry : systems()) {
    SCOPED_TRACE(entry.info.name);
    std::vector<double> values;
    for (const ParameterInfo& p : entry.parameters) values.push_back(p.default_value);
    const auto pair = entry.make_pair(values);
    InitialState start;
    start.q = Eigen::Map<const VectorXd>(entry.info.initial_q.data(), pair->coordinates());
    start.v = Eigen::Map<const VectorXd>(entry.info.initial_v.data(), pair->velocities());
    const MatrixXd I = MatrixXd::Identity(pair->contacts(), pair->contacts());
    const ViscoelasticLaw law{.stiffness = 1.3 * I, .damping = 0.7 * I};
    const VectorXd eta0 = VectorXd::Constant(pair->contacts(), 0.4);
    constexpr double eps = 0.25;
    expect_exact_jacobian(pair->compliant(start, law, eps, eta0).problem, random);
    for (const bool natural : {true, false}) {
      const AdaptedOptions options{.natural = natural};
      expect_exact_jacobian(pair->compliant_adapted(start, law, eps, eta0, options).problem,
                            random);
      expect_exact_jacobian(pair->rigid_reduced(start, options).problem, random);
    }
    expect_exact_jacobian(pair->rigid_eliminated(start).problem, random);
    expect_exact_jacobian(pair->rigid_semi_explicit(start).problem, random);
  }
}

// The same motion in other variables: each problem's own start reads back as (q, v), and the rigid
// forms have the same q' = T v there.
TEST(Formulations, ReadTheirStartBack) {
  for (const SystemEntry& entry : systems()) {
    SCOPED_TRACE(entry.info.name);
    std::vector<double> values;
    for (const ParameterInfo& p : entry.parameters) values.push_back(p.default_value);
    const auto pair = entry.make_pair(values);
    InitialState start;
    start.q = Eigen::Map<const VectorXd>(entry.info.initial_q.data(), pair->coordinates());
    start.v = Eigen::Map<const VectorXd>(entry.info.initial_v.data(), pair->velocities());
    for (const bool natural : {true, false}) {
      const OdeProblem reduced = pair->rigid_reduced(start, {.natural = natural}).problem;
      VectorXd state(reduced.output_size());
      reduced.coordinates->output(0.0, reduced.y0, state);
      const VectorXd read = state.head(start.q.size() + start.v.size());
      VectorXd expected(read.size());
      expected << start.q, start.v;
      EXPECT_LE((read - expected).norm(), 1e-13 * (1.0 + expected.norm()));
    }
  }
}

}  // namespace
}  // namespace rigidlimit
