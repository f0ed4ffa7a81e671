// Tests failures of all methods: each solve ends, gives the reason and keeps the reached columns.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/model_splitting.hpp"
#include "support/stepping_methods.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using test::uniform_grid;

struct Thrown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class OdeFailure : public testing::TestWithParam<OdeMethod> {
 protected:
  static Solution solve(const OdeProblem& problem, const std::vector<double>& times,
                        const SolveOptions& options = {}) {
    return GetParam().solve(test::split_for(GetParam(), problem), times, options);
  }
  static bool uses_jacobian() {
    // Stiff methods use the problem's Jacobian, additive methods that of the stiff part.
    return GetParam().stiff || GetParam().splits;
  }
};

/// Columns up to t_reached are finite, the others are NaN.
void expect_filled_up_to_t_reached(const Solution& solution) {
  for (Index k = 0; k < solution.states.cols(); ++k) {
    const bool reached = solution.times[static_cast<std::size_t>(k)] <= solution.t_reached;
    EXPECT_EQ(solution.states.col(k).allFinite(), reached) << "column " << k;
    EXPECT_EQ(solution.states.col(k).array().isNaN().all(), !reached) << "column " << k;
  }
}

TEST_P(OdeFailure, ExceedingMaxStepsIsAnOutcome) {
  SolveOptions options;
  options.rtol = options.atol = 1e-10;
  options.max_steps = 9;
  const Solution solution =
      solve(test::oscillator().problem, uniform_grid(0.0, 100.0, 10000), options);
  EXPECT_EQ(solution.outcome, Outcome::max_steps);
  EXPECT_THAT(solution.message, testing::HasSubstr("9"));
  EXPECT_GE(solution.work.steps + solution.work.rejected_steps, 9);
  EXPECT_LE(solution.work.steps, 9);
  EXPECT_GT(solution.t_reached, 0.0);
  EXPECT_LT(solution.t_reached, 100.0);
  EXPECT_GT(solution.last_step, 0.0);
  expect_filled_up_to_t_reached(solution);
}

TEST_P(OdeFailure, NonFiniteValuesEndTheSolveBeforeThem) {
  const OdeProblem model = test::linear_decay().problem;
  for (const double poison : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    OdeProblem broken = model;
    broken.rhs = [=](double t, VectorIn y, VectorOut dydt) {
      model.rhs(t, y, dydt);
      if (t > 0.5) dydt(0) = poison;
    };
    const Solution solution = solve(broken, uniform_grid(0.0, 1.0, 20));
    EXPECT_THAT(solution.outcome, testing::AnyOf(Outcome::not_finite, Outcome::step_underflow))
        << solution.message;
    EXPECT_FALSE(solution.message.empty());
    // These methods do not evaluate f at the end of a step, so that the last step may pass 0.5.
    const std::string name = GetParam().name;
    const bool inside = name == "implicit_midpoint" || name == "generalised_alpha";
    EXPECT_LE(solution.t_reached, inside ? 0.501 : 0.5);
    EXPECT_GT(solution.t_reached, 0.25);
    EXPECT_LT(solution.work.rhs_evaluations, 40000);
    EXPECT_GT(solution.last_step, 0.0);
    expect_filled_up_to_t_reached(solution);
  }
}

TEST_P(OdeFailure, NonFiniteValuesAtTheStartAreAnOutcome) {
  OdeProblem broken = test::linear_decay().problem;
  broken.rhs = [](double, VectorIn, VectorOut dydt) { dydt(0) = std::nan(""); };
  const Solution solution = solve(broken, {0.0, 1.0});
  EXPECT_EQ(solution.outcome, Outcome::not_finite) << solution.message;
  EXPECT_EQ(solution.t_reached, 0.0);
  expect_filled_up_to_t_reached(solution);
}

// y' = y², y = 1/(1 − t): no method may pass t = 1.
TEST_P(OdeFailure, APoleIsNotPassed) {
  OdeProblem pole;
  pole.name = "pole";
  pole.y0 = VectorXd::Constant(1, 1.0);
  pole.rhs = [](double, VectorIn y, VectorOut f) { f(0) = y(0) * y(0); };
  pole.jacobian = [](double, VectorIn y, MatrixOut J) { J(0, 0) = 2.0 * y(0); };
  SolveOptions options;
  options.max_steps = 20000;
  const bool first_order = GetParam().order == 1;  // too inaccurate for 1e-8 in max_steps
  if (first_order) options.rtol = 1e-7;
  const Solution solution = solve(pole, {0.5, 2.0}, options);
  EXPECT_NE(solution.outcome, Outcome::success);
  EXPECT_GT(solution.t_reached, 0.9);
  EXPECT_LT(solution.t_reached, 1.001);
  EXPECT_NEAR(solution.states(0, 0), 2.0, first_order ? 1e-3 : 1e-5);
  EXPECT_TRUE(std::isnan(solution.states(0, 1)));
}

TEST_P(OdeFailure, ExceptionsOfTheProblemPropagate) {
  const OdeProblem model = test::witch_of_agnesi().problem;
  OdeProblem throwing = model;
  throwing.rhs = [=](double t, VectorIn y, VectorOut dydt) {
    if (t > 0.3) throw Thrown("right-hand side");
    model.rhs(t, y, dydt);
  };
  EXPECT_THROW(solve(throwing, {1.0}), Thrown);
  if (!uses_jacobian()) return;
  throwing = model;
  throwing.jacobian = [=](double, VectorIn, MatrixOut) { throw Thrown("jacobian"); };
  EXPECT_THROW(solve(throwing, {1.0}), Thrown);
}

TEST_P(OdeFailure, CallerCanStopAfterAnyStep) {
  int polls = 0;
  SolveOptions options;
  options.stop_requested = [&] { return ++polls == 6; };
  const Solution solution =
      solve(test::oscillator().problem, uniform_grid(0.0, 100.0, 1000), options);
  EXPECT_EQ(solution.outcome, Outcome::interrupted);
  EXPECT_EQ(polls, 6);
  EXPECT_GT(solution.work.steps, 0);
  EXPECT_LE(solution.work.steps, 5);
  expect_filled_up_to_t_reached(solution);
}

TEST_P(OdeFailure, WrongInputIsRefusedWithItsValue) {
  const OdeProblem problem = test::oscillator().problem;
  const double nan = std::nan("");
  const auto refuses = [&](auto change, const std::string& word) {
    SolveOptions options;
    std::vector<double> times = {0.0, 1.0};
    OdeProblem changed = problem;
    change(options, times, changed);
    try {
      solve(changed, times, options);
      ADD_FAILURE() << "accepted: " << word;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(word));
    }
  };
  using Options = SolveOptions&;
  using Times = std::vector<double>&;
  using Problem = OdeProblem&;
  refuses([](Options o, Times, Problem) { o.rtol = 0.0; }, "rtol = 0");
  refuses([&](Options o, Times, Problem) { o.rtol = nan; }, "rtol = nan");
  refuses([](Options o, Times, Problem) { o.atol = -1e-9; }, "atol = -1e-09");
  refuses([](Options o, Times, Problem) { o.max_steps = 0; }, "max_steps = 0");
  refuses([](Options o, Times, Problem) { o.initial_step = -0.5; }, "initial_step = -0.5");
  refuses([](Options o, Times, Problem) { o.fixed_step = -0.5; }, "fixed_step = -0.5");
  refuses([](Options, Times t, Problem) { t.clear(); }, "empty");
  refuses([](Options, Times t, Problem) { t = {0.0, 2.0, 2.0}; }, "2 follows 2");
  refuses([](Options, Times t, Problem) { t = {-0.25, 1.0}; }, "-0.25");
  refuses([&](Options, Times t, Problem) { t = {0.0, nan}; }, "nan");
  refuses([&](Options, Times, Problem p) { p.y0(1) = nan; }, "y0[1] = nan");
  refuses([](Options, Times, Problem p) { p.y0.resize(0); }, "y0 is empty");
  refuses([](Options, Times, Problem p) { p.rhs = nullptr; }, "right-hand side");
  if (!GetParam().fixed_step)
    refuses([](Options o, Times, Problem) { o.fixed_step = 0.5; }, "fixed_step = 0.5");
  if (uses_jacobian()) refuses([](Options, Times, Problem p) { p.jacobian = nullptr; }, "Jacobian");
}

TEST_P(OdeFailure, AGridOfTheStartAloneIsASolution) {
  const Solution solution = solve(test::oscillator().problem, {0.0});
  EXPECT_EQ(solution.outcome, Outcome::success);
  EXPECT_EQ(solution.states.col(0), test::oscillator().problem.y0);
  EXPECT_EQ(solution.work.steps, 0);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, OdeFailure, testing::ValuesIn(test::stepping_methods()),
                         [](const auto& suite) { return std::string(suite.param.name); });

// ε w' = … with a zero Jacobian: Newton becomes functional iteration, which contracts only for
// steps below ε, so that the work grows.
TEST(NewtonWithAWrongJacobian, TakesManyMoreStepsOrFails) {
  const auto model = test::contact_layer(1e-4);
  OdeProblem wrong = model.problem;
  wrong.jacobian = [](double, VectorIn, MatrixOut J) { J.setZero(); };
  const auto solve = find_ode_method("cvode_bdf")->function;
  const Solution good = solve(model.problem, {model.end}, {});
  const Solution bad = solve(wrong, {model.end}, {});
  ASSERT_EQ(good.outcome, Outcome::success);
  if (bad.outcome == Outcome::success) {
    EXPECT_GT(bad.work.steps, 10 * good.work.steps);
  }
}

// CVODE reports tolerances below round-off before the first step.
TEST(TolerancesBelowRoundOff, AreAnOutcome) {
  SolveOptions options;
  options.rtol = options.atol = 1e-18;
  const Solution solution =
      find_ode_method("cvode_bdf")->solve(test::oscillator().problem, {1.0}, options);
  EXPECT_EQ(solution.outcome, Outcome::accuracy_limit) << solution.message;
  EXPECT_FALSE(solution.message.empty());
}

TEST(Catalogue, NamesAreUniqueAndFound) {
  for (const OdeMethod& method : ode_methods()) EXPECT_EQ(find_ode_method(method.name), &method);
  for (const DaeMethod& method : dae_methods()) EXPECT_EQ(find_dae_method(method.name), &method);
  EXPECT_EQ(find_ode_method("ida"), nullptr);
  EXPECT_EQ(find_dae_method(""), nullptr);
}

}  // namespace
}  // namespace rigidlimit
