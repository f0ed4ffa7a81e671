// Tests that a method from outside the library is judged as any other, and that whatever it does
// wrong is an outcome of its own solve.
#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/work_sum.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/own_method.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

/// y' = −y, y(0) = 1.
OdeProblem decay() {
  OdeProblem problem;
  problem.name = "decay";
  problem.y0 = VectorXd::Ones(1);
  problem.rhs = [](double, VectorIn y, VectorOut rate) { rate = -y; };
  problem.jacobian = [](double, VectorIn, MatrixOut rates) { rates.setConstant(-1.0); };
  return problem;
}

const std::vector<double> times{0.0, 0.5, 1.0};

/// The classical method of order 4 with a hundred steps between two times.
Solution rk4(const OdeProblem& problem, const std::vector<double>& grid, const SolveOptions&) {
  Solution solution;
  solution.states.resize(problem.y0.size(), static_cast<Index>(grid.size()));
  VectorXd y = problem.y0, k1 = y, k2 = y, k3 = y, k4 = y;
  double t = problem.t0;
  for (std::size_t k = 0; k < grid.size(); ++k) {
    const double h = (grid[k] - t) / 100.0;
    for (int step = 0; step < 100 && h > 0.0; ++step, t += h, ++solution.work.steps) {
      problem.rhs(t, y, k1);
      problem.rhs(t + h / 2, VectorXd(y + h / 2 * k1), k2);
      problem.rhs(t + h / 2, VectorXd(y + h / 2 * k2), k3);
      problem.rhs(t + h, VectorXd(y + h * k3), k4);
      y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    t = grid[k];
    solution.states.col(static_cast<Index>(k)) = y;
  }
  solution.outcome = Outcome::success;
  return solution;
}

Solution solved_by(const std::function<Solution(const OdeProblem&, const std::vector<double>&,
                                                const SolveOptions&)>& solve,
                   double time_limit = 60.0, const SolveOptions& options = {}) {
  const OwnMethod method{.name = "own", .time_limit = time_limit, .solve = solve};
  return solve_own(method, decay(), times, options);
}

TEST(OwnMethod, IsSolvedAndCounted) {
  const Solution solution = solved_by(rk4);
  EXPECT_EQ(solution.outcome, Outcome::success);
  EXPECT_NEAR(solution.states(0, 2), std::exp(-1.0), 1e-10);
  EXPECT_EQ(solution.work.steps, 200);
  EXPECT_EQ(solution.work.rhs_evaluations, 4 * 200) << "counted by the caller";
  EXPECT_EQ(solution.t_reached, 1.0);
  EXPECT_EQ(solution.times, times);
}

// A method that returns states alone has made steps, but how many is unknown.
TEST(OwnMethod, HasUnknownStepsUnlessItCountsThem) {
  const Solution uncounted = solved_by([](const OdeProblem& p, const auto& t, const auto& o) {
    Solution solution = rk4(p, t, o);
    solution.work = {};
    return solution;
  });
  EXPECT_LT(uncounted.work.steps, 0);
  EXPECT_LT(uncounted.work.rejected_steps, 0);
  EXPECT_EQ(uncounted.work.rhs_evaluations, 4 * 200) << "counted by the caller";
  Work sum = solved_by(rk4).work;
  EXPECT_GE(sum.rejected_steps, 0) << "negative control";
  add(sum, uncounted.work);
  EXPECT_LT(sum.steps, 0) << "a sum with an unknown part is unknown";
  EXPECT_EQ(sum.rhs_evaluations, 2 * 4 * 200);
}

TEST(OwnMethod, StandsInTheCatalogueUnderItsName) {
  const std::size_t before = ode_methods().size();
  const OdeMethod* const first = &ode_methods().front();
  add_method({.name = "my_rk4", .order = 4, .solve = rk4});
  ASSERT_NE(find_ode_method("my_rk4"), nullptr);
  EXPECT_EQ(ode_methods().size(), before + 1);
  EXPECT_EQ(&ode_methods().front(), first) << "pointers to methods stay valid";
  EXPECT_EQ(find_ode_method("my_rk4")->solve(decay(), times, {}).outcome, Outcome::success);
  // The same name again replaces it.
  add_method({.name = "my_rk4", .order = 5, .solve = rk4});
  EXPECT_EQ(ode_methods().size(), before + 1);
  EXPECT_EQ(find_ode_method("my_rk4")->order, 5);
}

TEST(OwnMethod, RefusesANameThatIsTakenOrNoWord) {
  for (const char* name : {"", "cvode_bdf", "two words", "a.b", "all", "stiff"})
    EXPECT_THROW(add_method({.name = name, .solve = rk4}), InputError) << name;
  EXPECT_THROW(add_method({.name = "without_a_function", .solve = {}}), InputError);
}

TEST(OwnMethod, WrongStatesAreAFailure) {
  const Solution none = solved_by([](const auto&, const auto&, const auto&) {
    Solution empty;
    empty.outcome = Outcome::success;
    return empty;
  });
  EXPECT_EQ(none.outcome, Outcome::solver_error);
  EXPECT_THAT(none.message, HasSubstr("(0, 0), not (1, 3)"));
  EXPECT_EQ(none.states.cols(), 3);
  const Solution undefined = solved_by([](const auto& problem, const auto& grid, const auto& how) {
    Solution solution = rk4(problem, grid, how);
    solution.states(0, 1) = std::numeric_limits<double>::quiet_NaN();
    return solution;
  });
  EXPECT_EQ(undefined.outcome, Outcome::not_finite);
  EXPECT_EQ(undefined.t_reached, 0.0);
  EXPECT_TRUE(std::isnan(undefined.states(0, 2))) << "nothing behind the first bad value counts";
}

TEST(OwnMethod, ExceptionsAreFailures) {
  const Solution thrown = solved_by(
      [](const auto&, const auto&, const auto&) -> Solution { throw std::runtime_error("lost"); });
  EXPECT_EQ(thrown.outcome, Outcome::solver_error);
  EXPECT_EQ(thrown.message, "lost");
  const Solution odd =
      solved_by([](const auto&, const auto&, const auto&) -> Solution { throw 3; });  // NOLINT
  EXPECT_EQ(odd.outcome, Outcome::solver_error);
}

/// Evaluates f for ever, and swallows the exception that is to stop it a hundred times.
Solution for_ever(const OdeProblem& problem, const std::vector<double>&, const SolveOptions&) {
  VectorXd rate = problem.y0;
  for (int swallowed = 0;;) try {
      problem.rhs(0.0, problem.y0, rate);
    } catch (const std::exception&) {
      if (++swallowed == 100) throw std::runtime_error("given up");
    }
}

// A method that gives up where f is not finite has met that f, and its row says where: also if it
// has tried shorter steps since. Negative controls: a method that gives up where f is finite, and
// one that has passed the t where f was not finite.
TEST(OwnMethod, AnInfiniteRateIsTheReasonOfAFailure) {
  OdeProblem singular = decay();
  singular.rhs = [](double t, VectorIn y, VectorOut rate) {
    rate = t > 0.7 && t < 0.85 ? VectorXd::Constant(1, std::nan("")) : VectorXd(-y);
  };
  const auto after = [&](const std::vector<double>& instants, Outcome reported) {
    return solve_own(
        {.name = "own",
         .solve =
             [&](const OdeProblem& problem, const std::vector<double>&, const SolveOptions&) {
               VectorXd rate(1);
               for (const double t : instants) problem.rhs(t, problem.y0, rate);
               Solution solution;
               solution.outcome = reported;
               solution.message = "gives up";
               return solution;
             }},
        singular, times, {});
  };
  for (const Outcome reported : {Outcome::solver_error, Outcome::step_underflow}) {
    const Solution met = after({0.6, 0.8}, reported), retried = after({0.6, 0.8, 0.65}, reported);
    for (const Solution* const one : {&met, &retried}) {
      EXPECT_EQ(one->outcome, Outcome::not_finite);
      EXPECT_THAT(one->message, HasSubstr("t = 0.8"));
    }
    EXPECT_EQ(met.t_reached, 0.8);
    EXPECT_EQ(after({0.6}, reported).outcome, reported);
    EXPECT_EQ(after({0.8, 0.9}, reported).outcome, reported);
  }
}

TEST(OwnMethod, AnEndlessSolveEndsAtItsLimitOrWhenItIsAsked) {
  const Solution late = solved_by(for_ever, 0.05);
  EXPECT_EQ(late.outcome, Outcome::time_limit);
  EXPECT_THAT(late.message, HasSubstr("0.05 s"));
  int asked = 0;
  const Solution stopped =
      solved_by(for_ever, 60.0, {.stop_requested = [&] { return ++asked > 10; }});
  EXPECT_EQ(stopped.outcome, Outcome::interrupted);
}

TEST(OwnMethod, ALateSolveDoesNotCount) {
  const Solution late = solved_by(
      [](const auto& problem, const auto& grid, const auto& how) {
        Solution solution = rk4(problem, grid, how);
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        return solution;
      },
      0.02);
  EXPECT_EQ(late.outcome, Outcome::time_limit);
}

}  // namespace
}  // namespace rigidlimit
