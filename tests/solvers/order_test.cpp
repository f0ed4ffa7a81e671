// Tests orders of one-step methods with fixed steps, two-sided, and causes of a lower order.
#include <gtest/gtest.h>

#include <cmath>

#include "rigidlimit/solvers/catalogue.hpp"
#include "support/model_ode.hpp"

namespace rigidlimit {
namespace {

using test::OdeModel;

double error_at_end(const char* method, const OdeProblem& problem, const OdeModel& model,
                    int steps) {
  SolveOptions options;
  options.fixed_step = model.end / steps;
  const Solution solution = find_ode_method(method)->solve(problem, {model.end}, options);
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  EXPECT_EQ(solution.work.steps, steps);
  EXPECT_EQ(solution.work.rejected_steps, 0);
  return (solution.states.col(0) - model.exact(model.end)).cwiseAbs().maxCoeff();
}

/// log₂ of the ratio of the errors with `steps` and 2 `steps` steps.
double measured_order(const char* method, const OdeProblem& problem, const OdeModel& model,
                      int steps) {
  return std::log2(error_at_end(method, problem, model, steps) /
                   error_at_end(method, problem, model, 2 * steps));
}

double measured_order(const char* method, const OdeModel& model, int steps) {
  return measured_order(method, model.problem, model, steps);
}

// 0.3: at these steps the next term of the error expansion still changes the second digit.
TEST(Order, Rosenbrock4HasOrder4WhetherOrNotFDependsOnT) {
  EXPECT_NEAR(measured_order("rosenbrock4", test::hyperbola(), 40), 4.0, 0.3);
  EXPECT_NEAR(measured_order("rosenbrock4", test::witch_of_agnesi(), 80), 4.0, 0.3);
  EXPECT_NEAR(measured_order("rosenbrock4", test::prothero_robinson(1.0), 40), 4.0, 0.3);
}

// The wrong sign of d₄ causes an error h · 2|d₄| ∂f/∂t in one stage, so that the order is 1.
TEST(Order, ShippedRosenbrock4HasOrder1IfFDependsOnTElse4) {
  EXPECT_NEAR(measured_order("rosenbrock4_shipped", test::hyperbola(), 40), 4.0, 0.3);
  EXPECT_NEAR(measured_order("rosenbrock4_shipped", test::witch_of_agnesi(), 80), 1.0, 0.2);
  EXPECT_NEAR(measured_order("rosenbrock4_shipped", test::prothero_robinson(1.0), 40), 1.0, 0.2);
}

// A Rosenbrock method's order conditions use the exact Jacobian and ∂f/∂t.
TEST(Order, Rosenbrock4LosesItWithAWrongJacobianOrWithoutTheTimeDerivative) {
  const OdeModel model = test::witch_of_agnesi();
  OdeProblem halved = model.problem;
  halved.jacobian = [&](double t, VectorIn y, MatrixOut J) {
    model.problem.jacobian(t, y, J);
    J *= 0.5;
  };
  EXPECT_LT(measured_order("rosenbrock4", halved, model, 80), 2.5);
  OdeProblem forgetful = model.problem;
  forgetful.time_derivative = nullptr;
  EXPECT_LT(measured_order("rosenbrock4", forgetful, model, 80), 2.5);
}

TEST(Order, ExplicitPairsPropagateTheirHigherOrder) {
  EXPECT_NEAR(measured_order("dopri5", test::witch_of_agnesi(), 80), 5.0, 0.3);
  EXPECT_NEAR(measured_order("dopri5", test::oscillator(), 40), 5.0, 0.3);
  EXPECT_NEAR(measured_order("runge_kutta_fehlberg78", test::witch_of_agnesi(), 10), 8.0, 0.5);
  EXPECT_NEAR(measured_order("runge_kutta_fehlberg78", test::oscillator(), 8), 8.0, 0.5);
}

// Steps of 0.3 with output times 0.5 and 1 end at 0.3, 0.5, 0.8, 1, those of the interpolating
// method at 0.3, 0.6, 0.9, 1.
TEST(Order, FixedStepsAreShortenedOnlyForOutputTimes) {
  SolveOptions options;
  options.fixed_step = 0.3;
  for (const char* name : {"dopri5", "runge_kutta_fehlberg78", "rosenbrock4",
                           "arkode_erk_dormand_prince_7_4_5", "arkode_dirk_sdirk_5_3_4"}) {
    const Solution solution =
        find_ode_method(name)->solve(test::linear_decay().problem, {0.5, 1.0}, options);
    EXPECT_EQ(solution.outcome, Outcome::success);
    EXPECT_EQ(solution.work.steps, 4) << name;
    EXPECT_EQ(solution.t_reached, 1.0);
  }
}

}  // namespace
}  // namespace rigidlimit
