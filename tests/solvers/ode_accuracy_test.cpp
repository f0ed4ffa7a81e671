// Tests every method of the catalogue against closed forms: errors, tolerances, grids, counters.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "rigidlimit/solvers/catalogue.hpp"
#include "support/model_splitting.hpp"
#include "support/stepping_methods.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using test::OdeModel;
using test::uniform_grid;

SolveOptions tolerance(double rtol, double atol = 0.0) {
  SolveOptions options;
  options.rtol = rtol;
  options.atol = atol > 0.0 ? atol : rtol;
  return options;
}

/// The maximum of |y − exact| over the grid and the components; NaN if any column is not finite.
double largest_error(const Solution& solution, const OdeModel& model) {
  double largest = 0.0;
  for (std::size_t k = 0; k < solution.times.size(); ++k) {
    const VectorXd error =
        solution.states.col(static_cast<Index>(k)) - model.exact(solution.times[k]);
    if (!error.allFinite()) return std::nan("");
    largest = std::max(largest, error.cwiseAbs().maxCoeff());
  }
  return largest;
}

bool is_rosenbrock(const OdeMethod& method) {
  return std::string_view(method.name).starts_with("ros") ||
         std::string_view(method.name).starts_with("rodas");
}

bool is_exponential(const OdeMethod& method) {
  return std::string_view(method.name).starts_with("exprb");
}

class OdeAccuracy : public testing::TestWithParam<std::tuple<OdeMethod, OdeModel>> {
 protected:
  const OdeMethod& method() const { return std::get<0>(GetParam()); }
  const OdeModel& model() const { return std::get<1>(GetParam()); }
  OdeProblem problem() const { return test::split_for(method(), model().problem); }
};

// A step is accepted if its estimated error is at most w = rtol |y| + atol ≤ 2 rtol in the root
// mean square over the N components, hence at most √N w in one component. `steps` such errors,
// amplified by the flow, add up to at most steps · √N · w · amplification. The estimate bounds the
// error, because every method propagates a solution at least as accurate as the estimated one.
// Factor 2: the error of a multistep method enters its history (its companion matrix is not
// normal), and the interpolant between steps adds an error. The error control of Rosenbrock methods
// does not cover their interpolants (RosenbrockInterpolant below), so only their end values count.
TEST_P(OdeAccuracy, ErrorIsAtMostTheSumOfTheAcceptedLocalErrors) {
  const bool between = !is_rosenbrock(method());
  for (const double rtol : {1e-6, 1e-9}) {
    const Solution solution = method().solve(
        problem(), uniform_grid(0.0, model().end, between ? 100 : 1), tolerance(rtol));
    ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
    const double root_n = std::sqrt(static_cast<double>(model().problem.y0.size()));
    const double bound = 2.0 * static_cast<double>(solution.work.steps) * root_n * 2.0 * rtol *
                         model().amplification;
    EXPECT_LE(largest_error(solution, model()), bound) << rtol;
  }
}

// With a tolerance 10⁴ times smaller the error falls at least a hundredfold, or to round-off, or
// below the tolerance. A step of order 13 whose estimate has order 7 is that accurate already at
// the loose tolerance. At order 1 the error falls as tol^(1/2), by a factor of about 100. ARKODE's
// methods have a lower order on stiff problems than their estimates assume: their errors are a
// hundred times below a loose tolerance and ten times above a tight one. There are few output
// times, so that methods that must end a step on each of them can choose their steps.
TEST_P(OdeAccuracy, ErrorFallsWithTheTolerance) {
  const auto times = uniform_grid(0.0, model().end, 2);
  const double loose = largest_error(method().solve(problem(), times, tolerance(1e-5)), model());
  const double tight = largest_error(method().solve(problem(), times, tolerance(1e-9)), model());
  const std::string_view name = method().name;
  const double floor = name.starts_with("radau_iia") ? 1e-9
                       : name.starts_with("arkode")  ? 1e-8
                                                     : 1e-13;
  const double share = method().order == 1 ? 2e-2 : 1e-2;
  EXPECT_LE(tight, std::max(share * loose, floor));
}

TEST_P(OdeAccuracy, CountersAreTheCallsThatTheProblemSaw) {
  long f_calls = 0, jacobian_calls = 0, time_derivative_calls = 0;
  OdeProblem counted = test::watched(
      problem(), [&](double) { ++f_calls; }, [&] { ++jacobian_calls; });
  if (counted.time_derivative)
    counted.time_derivative = [&](double t, VectorIn y, VectorOut dfdt) {
      ++time_derivative_calls;
      model().problem.time_derivative(t, y, dfdt);
    };
  const Solution solution =
      method().solve(counted, uniform_grid(0.0, model().end, 10), tolerance(1e-6));
  ASSERT_EQ(solution.outcome, Outcome::success);
  const Work& work = solution.work;
  EXPECT_EQ(work.rhs_evaluations, f_calls);
  EXPECT_EQ(work.jacobian_evaluations, jacobian_calls);
  EXPECT_GT(work.steps, 0);
  EXPECT_GE(work.factorisations, work.jacobian_evaluations);

  const std::string name = method().name;
  const long attempts = work.steps + work.rejected_steps;
  if (name.starts_with("rosenbrock4")) {
    EXPECT_EQ(work.rhs_evaluations, 6 * attempts + 2);  // 2: the choice of the first step
    EXPECT_EQ(work.jacobian_evaluations, attempts);
    EXPECT_EQ(work.factorisations, attempts);
    EXPECT_EQ(work.linear_solves, 6 * attempts);
    EXPECT_EQ(time_derivative_calls, model().problem.time_derivative ? attempts : 0);
  } else if (name == "runge_kutta_fehlberg78") {
    EXPECT_EQ(work.rhs_evaluations, 12 * attempts + work.steps + 1);  // f at the start is reused
  } else if (name == "dopri5") {
    EXPECT_EQ(work.rhs_evaluations, 6 * attempts + 2);  // first same as last
  } else if (name == "bulirsch_stoer") {
    EXPECT_GE(work.rhs_evaluations, 2 * work.steps);
  } else if (is_rosenbrock(method()) || is_exponential(method())) {
    // After a rejection f, ∂f/∂y and ∂f/∂t at the start are reused.
    const long stages = method().stages;
    // Rodas6P has three more stages in a step with an output time inside.
    const long extra = name == "rodas6p" ? work.linear_solves - stages * attempts : 0;
    EXPECT_EQ(extra % 3, 0);
    EXPECT_LE(extra, 3 * attempts);
    EXPECT_EQ(work.rhs_evaluations, (stages - 1) * attempts + work.steps + 2 + extra);
    EXPECT_EQ(work.jacobian_evaluations, work.steps);
    // An output time inside a step needs further matrix functions.
    EXPECT_GE(work.factorisations, attempts);
    EXPECT_LE(work.factorisations, attempts + (is_exponential(method()) ? 10 : 0));
    EXPECT_EQ(time_derivative_calls, model().problem.time_derivative ? work.steps : 0);
    EXPECT_EQ(work.linear_solves, is_rosenbrock(method()) ? stages * attempts + extra : 0);
  } else if (name.starts_with("arkode_erk")) {
    EXPECT_GE(work.rhs_evaluations, method().stages * attempts);
    EXPECT_LE(work.rhs_evaluations,
              method().stages * attempts + 3);  // the choice of the first step
    EXPECT_EQ(work.linear_solves, 0);
  } else {
    EXPECT_GE(work.newton_iterations, work.steps);
    if (!name.starts_with("cvode")) {
      EXPECT_GE(work.linear_solves, work.newton_iterations);
    }
  }
}

// The column of t0 is exactly the initial value. The solve ends exactly at the last time and never
// evaluates f beyond it.
TEST_P(OdeAccuracy, GridIsFilledExactlyAndNothingIsEvaluatedBeyondIt) {
  const double end = model().end;
  const std::vector<double> times = {0.0, 1e-9 * end, 0.1 * end, 0.1 * end + 1e-12, end / 3.0, end};
  double latest = 0.0;
  const OdeProblem watched = test::watched(
      problem(), [&](double t) { latest = std::max(latest, t); }, [] {});
  const Solution solution = method().solve(watched, times, tolerance(1e-7));
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  EXPECT_TRUE(solution.message.empty());
  EXPECT_EQ(solution.times, times);
  EXPECT_EQ(solution.t_reached, end);
  EXPECT_EQ(solution.states.cols(), 6);
  EXPECT_EQ(solution.states.col(0), model().problem.y0);
  EXPECT_TRUE(solution.states.allFinite());
  EXPECT_EQ(solution.rates.size(), 0);
  EXPECT_GT(solution.last_step, 0.0);
  // 4 units in the last place: c_i = 1 stages compute t + h, which rounds.
  EXPECT_LE(latest, end * (1.0 + 1e-15));
}

std::vector<std::tuple<OdeMethod, OdeModel>> suitable_pairs() {
  std::vector<std::tuple<OdeMethod, OdeModel>> pairs;
  for (const OdeMethod& method : test::stepping_methods())
    for (const OdeModel& model : test::all_ode_models()) {
      // The shipped coefficients are wrong where f depends on t: see order_test.cpp.
      const bool wrong =
          std::string_view(method.name) == "rosenbrock4_shipped" && model.problem.time_derivative;
      // arkode_test.cpp tests the order of all thirty tables: one model of each kind is enough.
      const bool enough =
          std::string_view(method.name).starts_with("arkode") &&
          model.problem.name != "oscillator" && model.problem.name != "witch_of_agnesi" &&
          model.problem.name != "contact_layer" && model.problem.name != "prothero_robinson_1000";
      if ((method.stiff || !model.stiff) && !wrong && !enough) pairs.emplace_back(method, model);
    }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, OdeAccuracy, testing::ValuesIn(suitable_pairs()),
                         [](const auto& suite) {
                           return std::string(std::get<0>(suite.param).name) + "_on_" +
                                  std::get<1>(suite.param).problem.name;
                         });

// Additional output times change neither the steps nor the common columns: methods with an
// interpolant use it.
TEST(OdeOutput, DenseOutputLeavesTheStepsAlone) {
  for (const char* name : {"cvode_bdf", "cvode_adams", "rosenbrock4"}) {
    const OdeModel model = test::oscillator();
    const auto solve = find_ode_method(name)->function;
    const Solution few = solve(model.problem, {0.0, 3.0, 6.0}, tolerance(1e-5));
    const Solution many = solve(model.problem, uniform_grid(0.0, 6.0, 1000), tolerance(1e-5));
    EXPECT_EQ(few.work.steps, many.work.steps) << name;
    EXPECT_EQ(few.work.rhs_evaluations, many.work.rhs_evaluations) << name;
    EXPECT_LT(many.work.steps, 500) << name;  // several output times lie in one step
    EXPECT_EQ(few.states.col(1), many.states.col(500)) << name;
    EXPECT_EQ(few.states.col(2), many.states.col(1000)) << name;
  }
}

// The interpolant of RODAS has order 4, not 5 as the step, and order 3 on a stiff problem that
// depends on t. There its error is far above that at the steps, and outside the error control. The
// test checks both orders, two-sided, with fixed steps h → h/2 of Prothero & Robinson's problem.
TEST(OdeOutput, RosenbrockInterpolantHasOrder4AndOnlyOrder3OnAStiffProblem) {
  for (const auto& [k, order] : {std::pair{1.0, 4.0}, std::pair{1e6, 3.0}}) {
    const OdeModel model = test::prothero_robinson(k);
    const auto error_between_steps = [&](int steps) {
      SolveOptions options;
      options.fixed_step = model.end / steps;
      const Solution solution =
          find_ode_method("rosenbrock4")
              ->solve(model.problem, uniform_grid(0.0, model.end, 4 * steps), options);
      EXPECT_EQ(solution.work.steps, steps);
      return largest_error(solution, model);
    };
    EXPECT_NEAR(std::log2(error_between_steps(40) / error_between_steps(80)), order, 0.15) << k;
  }
}

// At the round-off floor, rtol = atol = 1e-14, the reference method neither stalls nor loses the
// solution. The bound is `steps` times the tolerance and one rounding of u ≤ 1.2e-16 for each
// stage.
TEST(OdeOutput, Fehlberg78KeepsItsToleranceAtTheRoundOffFloor) {
  const OdeModel model = test::oscillator();
  const Solution solution = find_ode_method("runge_kutta_fehlberg78")
                                ->solve(model.problem, uniform_grid(0.0, 6.0, 6), tolerance(1e-14));
  ASSERT_EQ(solution.outcome, Outcome::success);
  EXPECT_LT(solution.work.steps + solution.work.rejected_steps, 200);
  EXPECT_LE(largest_error(solution, model),
            static_cast<double>(solution.work.steps) * (2e-14 + 13 * 1.2e-16) * std::sqrt(2.0));
}

// A contact with a layer of width 1e-3, at the tolerances of the studies: rtol 1e-11, atol 1e-13.
TEST(OdeOutput, CvodeKeepsTightTolerancesThroughAFastLayer) {
  const OdeModel model = test::contact_layer(1e-3);
  const Solution solution =
      find_ode_method("cvode_bdf")
          ->solve(model.problem, uniform_grid(0.0, 0.02, 200), tolerance(1e-11, 1e-13));
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  // steps · √N · (rtol + atol) · amplification, as above.
  EXPECT_LE(largest_error(solution, model),
            static_cast<double>(solution.work.steps) * std::sqrt(2.0) * 1.01e-11 * 1.22);
}

}  // namespace
}  // namespace rigidlimit
