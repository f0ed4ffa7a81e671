// Tests every ODE method in coordinates that are re-chosen during the solve.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "rigidlimit/solvers/catalogue.hpp"
#include "support/model_splitting.hpp"
#include "support/stepping_methods.hpp"
#include "support/turning_chart.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using test::TurningChart;
using test::uniform_grid;

SolveOptions tolerance(double rtol) {
  SolveOptions options;
  options.rtol = options.atol = rtol;
  options.max_steps = 100000;
  return options;
}

double largest_error(const Solution& solution, const TurningChart& model) {
  double largest = 0.0;
  for (std::size_t k = 0; k < solution.times.size(); ++k) {
    const VectorXd error =
        solution.states.col(static_cast<Index>(k)) - model.exact(solution.times[k]);
    if (!error.allFinite()) return INFINITY;
    largest = std::max(largest, error.cwiseAbs().maxCoeff());
  }
  return largest;
}

class MovingCoordinates : public testing::TestWithParam<OdeMethod> {
 protected:
  static Solution solve(const OdeProblem& problem, const std::vector<double>& times,
                        const SolveOptions& options) {
    return GetParam().solve(test::split_for(GetParam(), problem), times, options);
  }
};

INSTANTIATE_TEST_SUITE_P(AllMethods, MovingCoordinates, testing::ValuesIn(test::stepping_methods()),
                         [](const auto& tested) { return std::string(tested.param.name); });

// The blade turns by 4 rad and so passes a right angle to any direction at least twice. As in
// ode_accuracy_test.cpp, `steps` accepted errors add up, each at most √3 · 2 rtol · |y| (|y| ≤ 4).
// The chart multiplies an error in (u, w) by its condition number, below 30 if it is re-chosen in
// time. Output times are ends of steps, because of rosenbrock4's interpolant.
TEST_P(MovingCoordinates, KeepTheSolutionPastTheSingularityOfTheirStart) {
  const TurningChart model;
  const double rtol = 1e-8;
  const Solution solution = solve(model.problem(), uniform_grid(0.0, 2.0, 2), tolerance(rtol));
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  EXPECT_EQ(solution.states.rows(), 3);
  EXPECT_GT(*model.changes, 0);
  EXPECT_LE(largest_error(solution, model),
            30.0 * static_cast<double>(solution.work.steps) * std::sqrt(3.0) * 2.0 * rtol * 4.0);
}

// Negative control: the chart of the start does not determine v at φ = π/2, an output time here.
// Nearby it multiplies an error by 1/cos δ. Every method fails, or its error is a thousand times
// that in moving coordinates.
TEST_P(MovingCoordinates, AreNeeded) {
  const TurningChart model;
  SolveOptions options = tolerance(1e-8);
  options.max_steps = 20000;
  const std::vector<double> times = {0.0, M_PI_2 / model.omega, 2.0};
  const double moving_error = largest_error(solve(model.problem(), times, options), model);
  const Solution fixed = solve(model.problem(false), times, options);
  EXPECT_TRUE(fixed.outcome != Outcome::success || largest_error(fixed, model) > 1e3 * moving_error)
      << largest_error(fixed, model) << " against " << moving_error;
}

// Every solve starts with reset(), so that results and work are identical.
TEST_P(MovingCoordinates, TwoSolvesInSequenceAreIdentical) {
  const TurningChart model;
  const OdeProblem problem = model.problem();
  const auto times = uniform_grid(0.0, 2.0, 7);
  const Solution first = solve(problem, times, tolerance(1e-6));
  const int changes = *model.changes;
  const Solution second = solve(problem, times, tolerance(1e-6));
  EXPECT_EQ(first.states, second.states);
  EXPECT_EQ(first.work.steps, second.work.steps);
  EXPECT_EQ(first.work.rhs_evaluations, second.work.rhs_evaluations);
  EXPECT_EQ(*model.changes, changes);
}

// The counters include the calls before CVODE's restarts.
TEST_P(MovingCoordinates, CountersAreTheCallsThatTheProblemSaw) {
  const TurningChart model;
  OdeProblem counted = model.problem();
  long f_calls = 0, jacobian_calls = 0;
  counted.rhs = [&, f = counted.rhs](double t, VectorIn y, VectorOut dydt) {
    ++f_calls;
    f(t, y, dydt);
  };
  counted.jacobian = [&, J = counted.jacobian](double t, VectorIn y, MatrixOut dfdy) {
    ++jacobian_calls;
    J(t, y, dfdy);
  };
  const Solution solution = solve(counted, uniform_grid(0.0, 2.0, 2), tolerance(1e-6));
  ASSERT_EQ(solution.outcome, Outcome::success);
  EXPECT_EQ(solution.work.rhs_evaluations, f_calls);
  EXPECT_EQ(solution.work.jacobian_evaluations, jacobian_calls);
  // One-step methods re-choose coordinates after each step except the last. Methods with a stored
  // rate or history, CVODE and generalised-alpha, re-choose them only if necessary.
  const long steps = solution.work.steps;
  const std::string_view name = GetParam().name;
  if (!name.starts_with("cvode") && !name.starts_with("generalised_alpha"))
    EXPECT_EQ(*model.changes, steps - 1);
  else
    EXPECT_LT(*model.changes, steps / 10);
}

}  // namespace
}  // namespace rigidlimit
