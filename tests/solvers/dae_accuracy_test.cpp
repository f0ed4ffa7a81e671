// Tests IDA against closed forms of index 1 and 2, and its rejection of invalid input.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/model_dae.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using test::DaeModel;
using test::uniform_grid;

const DaeMethod& ida() {
  return *find_dae_method("ida");
}

SolveOptions tolerance(double rtol, double atol) {
  SolveOptions options;
  options.rtol = rtol;
  options.atol = atol;
  return options;
}

/// Largest errors on the grid: of y_0 … y_(split−1), of y_split …, and of the rates of the first.
struct Errors {
  double differential = 0.0, algebraic = 0.0, rate = 0.0;
};
Errors errors(const Solution& solution, const DaeModel& model, Index split) {
  Errors e;
  for (std::size_t k = 0; k < solution.times.size(); ++k) {
    const double t = solution.times[k];
    const VectorXd dy = (solution.states.col(static_cast<Index>(k)) - model.exact(t)).cwiseAbs();
    const VectorXd dyp =
        (solution.rates.col(static_cast<Index>(k)) - model.exact_rate(t)).cwiseAbs();
    e.differential = std::max(e.differential, dy.head(split).maxCoeff());
    e.algebraic = std::max(e.algebraic, dy.tail(dy.size() - split).maxCoeff());
    e.rate = std::max(e.rate, dyp.head(split).maxCoeff());
  }
  return e;
}

// Σ |a_i| of the BDF of order 5: in y' = (1/h) Σ a_i y_(n−i), an error e of the y changes y' by at
// most 17.1 e / h (137/60 + 5 + 5 + 10/3 + 5/4 + 1/5). Lower orders have smaller sums.
constexpr double bdf_rate_factor = 17.1;

// Index 1: steps · √2 · w with w = rtol |y| + atol ≤ 2 rtol; the flow contracts. Rates: the local
// error of one step through the BDF formula with the mean step; 2 because steps differ.
TEST(IdaIndexOne, ErrorsOfStatesAndRatesObeyTheTolerance) {
  const DaeModel model = test::index_one();
  for (const double tol : {1e-5, 1e-8, 1e-11}) {
    const Solution solution =
        ida().solve(model.problem, uniform_grid(0.0, model.end, 100), tolerance(tol, tol));
    ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
    const auto steps = static_cast<double>(solution.work.steps);
    const Errors e = errors(solution, model, 1);
    EXPECT_LE(e.differential, steps * std::sqrt(2.0) * 2.0 * tol) << tol;
    EXPECT_LE(e.algebraic, steps * std::sqrt(2.0) * 2.0 * tol) << tol;
    EXPECT_LE(e.rate, 2.0 * bdf_rate_factor * steps / model.end * std::sqrt(2.0) * 2.0 * tol)
        << tol;
  }
}

// Index 2: the error test covers q and v, 6 of 7 components: at most √7 w a step, |y| ≤ 3.4. The
// flow adds T = 2 times an error of v to q. Λ = m (g − v')·n has the error of v', as above.
TEST(IdaIndexTwo, ErrorsOfPositionsVelocitiesAndMultiplierObeyTheTolerance) {
  const DaeModel model = test::knife_edge_index_two();
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-11, 1e-12}) {
    const Solution solution =
        ida().solve(model.problem, uniform_grid(0.0, model.end, 400), tolerance(rtol, 0.01 * rtol));
    ASSERT_EQ(solution.outcome, Outcome::success) << rtol << ": " << solution.message;
    const auto steps = static_cast<double>(solution.work.steps);
    const double local_error = std::sqrt(7.0) * 3.4 * 1.01 * rtol;
    const Errors e = errors(solution, model, 6);
    EXPECT_LE(e.differential, 3.0 * steps * local_error) << rtol;
    EXPECT_LE(e.algebraic, 2.0 * bdf_rate_factor * steps / model.end * local_error) << rtol;
    EXPECT_LE(e.rate, 2.0 * bdf_rate_factor * steps / model.end * local_error) << rtol;
    EXPECT_LE(solution.work.rejected_steps, solution.work.steps / 4) << rtol;
  }
}

// The errors fall with the tolerance, the error of Λ more slowly than that of v. A tolerance 10⁶
// times smaller reduces the errors of q and v by more than 10⁴, and that of Λ by more than 10³.
TEST(IdaIndexTwo, ErrorsFallWithTheToleranceMoreSlowlyForTheMultiplier) {
  const DaeModel model = test::knife_edge_index_two();
  const auto at = [&](double rtol) {
    return errors(
        ida().solve(model.problem, uniform_grid(0.0, 2.0, 400), tolerance(rtol, 0.01 * rtol)),
        model, 6);
  };
  const Errors loose = at(1e-5), tight = at(1e-11);
  EXPECT_GT(loose.differential / tight.differential, 1e4);
  EXPECT_GT(loose.algebraic / tight.algebraic, 1e3);
  EXPECT_GT(tight.algebraic, tight.differential);
}

TEST(IdaIndexTwo, CountersAreTheCallsThatTheProblemSawAndTheGridIsExact) {
  const DaeModel model = test::knife_edge_index_two();
  long residuals = 0, jacobians = 0;
  DaeProblem counted = model.problem;
  counted.residual = [&](double t, VectorIn y, VectorIn yp, VectorOut r) {
    ++residuals;
    model.problem.residual(t, y, yp, r);
  };
  counted.jacobian = [&](double t, VectorIn y, VectorIn yp, double alpha, MatrixOut J) {
    ++jacobians;
    model.problem.jacobian(t, y, yp, alpha, J);
  };
  const std::vector<double> times = {0.0, 1e-7, 0.4, 0.4 + 1e-13, 2.0};
  const Solution solution = ida().solve(counted, times, tolerance(1e-7, 1e-9));
  ASSERT_EQ(solution.outcome, Outcome::success);
  EXPECT_EQ(solution.work.rhs_evaluations, residuals);
  EXPECT_EQ(solution.work.jacobian_evaluations, jacobians);
  EXPECT_GE(solution.work.newton_iterations, solution.work.steps);
  EXPECT_EQ(solution.states.col(0), model.problem.y0);
  EXPECT_EQ(solution.rates.col(0), model.problem.yp0);
  EXPECT_EQ(solution.t_reached, 2.0);
  EXPECT_TRUE(solution.states.allFinite());
  EXPECT_TRUE(solution.rates.allFinite());
}

// Negative control of `algebraic_variables_untested`: the error estimate of Λ does not shrink with
// the step. If the error test includes Λ, many more steps fail, or the solve fails.
TEST(IdaIndexTwo, TestingTheMultiplierCostsManyRejectedStepsOrTheSolve) {
  const DaeModel model = test::knife_edge_index_two();
  DaeProblem tested = model.problem;
  tested.algebraic_variables_untested = false;
  const auto times = uniform_grid(0.0, 2.0, 10);
  const Solution good = ida().solve(model.problem, times, tolerance(1e-9, 1e-11));
  SolveOptions bounded = tolerance(1e-9, 1e-11);
  bounded.max_steps = 20000;
  const Solution bad = ida().solve(tested, times, bounded);
  ASSERT_EQ(good.outcome, Outcome::success);
  if (bad.outcome == Outcome::success) {
    EXPECT_GT(bad.work.steps + bad.work.rejected_steps,
              2 * (good.work.steps + good.work.rejected_steps));
  }
}

// Negative control of the Jacobian: without the terms of G in v' Newton cannot move the multiplier.
TEST(IdaIndexTwo, AWrongJacobianFails) {
  DaeProblem wrong = test::knife_edge_index_two().problem;
  const auto right = wrong.jacobian;
  wrong.jacobian = [right](double t, VectorIn y, VectorIn yp, double alpha, MatrixOut J) {
    right(t, y, yp, alpha, J);
    J(3, 6) = J(4, 6) = 0.0;  // now singular
  };
  const Solution solution = ida().solve(wrong, {2.0}, tolerance(1e-6, 1e-8));
  EXPECT_THAT(solution.outcome, testing::AnyOf(Outcome::newton_failure, Outcome::singular_matrix));
  EXPECT_FALSE(solution.message.empty());
  EXPECT_FALSE(solution.states.col(0).allFinite());
}

TEST(IdaInput, AnInconsistentStartIsRefusedWithTheResidual) {
  const auto solve = [](const DaeProblem& problem) {
    return ida().solve(problem, {1.0}, tolerance(1e-8, 1e-10));
  };
  DaeProblem slides = test::knife_edge_index_two().problem;
  slides.y0(4) += 1e-3;  // violates y' = v_y and G v = 0
  EXPECT_THROW(solve(slides), InputError);
  DaeProblem unloaded = test::knife_edge_index_two().problem;
  unloaded.y0(6) = 0.0;  // violates M v' = F − GᵀΛ
  EXPECT_THROW(solve(unloaded), InputError);
  DaeProblem within = test::knife_edge_index_two().problem;
  within.y0(6) += 1e-9;  // rtol |Λ| ≈ 1e-8
  EXPECT_EQ(solve(within).outcome, Outcome::success);
  try {
    solve(unloaded);
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("residual 4"));
    EXPECT_THAT(error.what(), testing::HasSubstr("0.91"));
  }
}

TEST(IdaInput, WrongSizesAreRefused) {
  DaeProblem rates = test::index_one().problem;
  rates.yp0.conservativeResize(1);
  EXPECT_THROW(ida().solve(rates, {1.0}, {}), InputError);
  DaeProblem ids = test::index_one().problem;
  ids.differential.pop_back();
  EXPECT_THROW(ida().solve(ids, {1.0}, {}), InputError);
  SolveOptions fixed;
  fixed.fixed_step = 0.1;
  EXPECT_THROW(ida().solve(test::index_one().problem, {1.0}, fixed), InputError);
}

struct Thrown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

TEST(IdaFailure, ExceptionsOfTheProblemPropagate) {
  for (const bool in_jacobian : {false, true}) {
    const DaeProblem model = test::index_one().problem;
    DaeProblem throwing = model;
    throwing.residual = [=](double t, VectorIn y, VectorIn yp, VectorOut r) {
      if (!in_jacobian && t > 0.3) throw Thrown("residual");
      model.residual(t, y, yp, r);
    };
    throwing.jacobian = [=](double t, VectorIn y, VectorIn yp, double alpha, MatrixOut J) {
      if (in_jacobian && t > 0.3) throw Thrown("jacobian");
      model.jacobian(t, y, yp, alpha, J);
    };
    EXPECT_THROW(ida().solve(throwing, {2.0}, {}), Thrown);
  }
}

TEST(IdaFailure, NonFiniteValuesEndTheSolveWithTheReachedGridFilled) {
  const DaeProblem model = test::index_one().problem;
  DaeProblem broken = model;
  broken.residual = [=](double t, VectorIn y, VectorIn yp, VectorOut r) {
    model.residual(t, y, yp, r);
    if (t > 0.5) r(0) = std::nan("");
  };
  const Solution solution = ida().solve(broken, uniform_grid(0.0, 1.0, 10), tolerance(1e-8, 1e-8));
  EXPECT_EQ(solution.outcome, Outcome::not_finite) << solution.message;
  EXPECT_LE(solution.t_reached, 0.5);
  for (Index k = 0; k < 11; ++k) {
    const bool reached = solution.times[static_cast<std::size_t>(k)] <= solution.t_reached;
    EXPECT_EQ(solution.states.col(k).allFinite(), reached) << k;
    EXPECT_EQ(solution.rates.col(k).allFinite(), reached) << k;
  }
}

TEST(IdaFailure, StepBoundAndInterruptAreOutcomes) {
  SolveOptions few = tolerance(1e-10, 1e-12);
  few.max_steps = 7;
  const Solution bounded = ida().solve(test::index_one().problem, {2.0}, few);
  EXPECT_EQ(bounded.outcome, Outcome::max_steps);
  EXPECT_GE(bounded.work.steps + bounded.work.rejected_steps, 7);
  int polls = 0;
  SolveOptions stopped;
  stopped.stop_requested = [&] { return ++polls == 4; };
  const Solution interrupted = ida().solve(test::index_one().problem, {2.0}, stopped);
  EXPECT_EQ(interrupted.outcome, Outcome::interrupted);
  EXPECT_EQ(interrupted.work.steps, 3);
}

}  // namespace
}  // namespace rigidlimit
