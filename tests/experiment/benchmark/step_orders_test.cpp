// Tests observed orders with equal steps: classical orders for smooth problems, reduced orders for
// stiff contacts or a wrong Jacobian.
#include "rigidlimit/experiment/benchmark/judge_benchmark.hpp"

#include <gmock/gmock.h>

#include "support/sample_benchmark.hpp"

namespace rigidlimit {
namespace {

double resolved_order(const char* method, double jacobian_factor) {
  const BenchmarkResult result =
      run_benchmark(test::equal_steps({method}), test::logistic(jacobian_factor));
  EXPECT_EQ(result.trials.size(), 5u);
  return step_orders(result).at(0).resolved.order;
}

// Over h = 1/2 … 1/32 a term of the next order shifts a fit by some tenths at most, up or down.
TEST(StepOrders, OfASmoothProblemAreClassical) {
  EXPECT_NEAR(resolved_order("radau_iia_3", 1.0), 5.0, 0.3);
  EXPECT_NEAR(resolved_order("rosenbrock4", 1.0), 4.0, 0.3);
}

// Negative control: the order of a Rosenbrock method depends on the Jacobian, the order of a
// Runge-Kutta method does not.
TEST(StepOrders, AWrongJacobianReducesTheOrderOfARosenbrockMethod) {
  EXPECT_LT(resolved_order("rosenbrock4", 1.3), 3.0);
  EXPECT_NEAR(resolved_order("radau_iia_3", 1.3), 5.0, 0.3);
}

TEST(StepOrders, FollowFromTheStoredErrors) {
  const BenchmarkResult result =
      run_benchmark(test::equal_steps({"radau_iia_3"}), test::logistic(1.0));
  EXPECT_TRUE(std::isnan(result.trials[0].errors[0].observed_order));
  for (std::size_t k = 1; k < result.trials.size(); ++k) {
    const Trial &a = result.trials[k - 1], &b = result.trials[k];
    EXPECT_DOUBLE_EQ(b.errors[0].observed_order, std::log(a.errors[0].error / b.errors[0].error) /
                                                     std::log(a.setting.h / b.setting.h));
  }
}

/// A result with errors of a thousandth of `errors` at h = 1, 1/2, 1/4, … for ε = 0.02.
BenchmarkResult with_errors(const std::vector<double>& errors) {
  BenchmarkResult result;
  result.problems = {{.name = "made", .system = "made", .epsilon = 0.02, .groups = {"all"}}};
  double h = 1.0;
  for (const double error : errors) {
    Trial trial;
    trial.method = find_ode_method("radau_iia_3");
    trial.setting.h = h;
    trial.errors = {{.error = 1e-3 * error,
                     .mixed = 3.0 - std::log10(error),
                     .reference_error = 1e-18,
                     .status = TrialStatus::ok}};
    result.trials.push_back(trial);
    h *= 0.5;
  }
  find_step_orders(result);
  return result;
}

TEST(StepOrders, FindThePlateauAndTheCrossover) {
  // Order 2 down to h = 1/8, flat to 1/32, then order 5; ε = 1/50.
  std::vector<double> errors{1.0, 0.25, 0.0625, 0.015625, 0.0155, 0.0155};
  for (int k = 0; k < 6; ++k) errors.push_back(errors.back() / 32.0);
  const BenchmarkResult result = with_errors(errors);
  EXPECT_EQ(result.trials[3].errors[0].status, TrialStatus::ok);
  EXPECT_EQ(result.trials[4].errors[0].status, TrialStatus::plateau);
  EXPECT_EQ(result.trials[5].errors[0].status, TrialStatus::plateau);
  EXPECT_EQ(result.trials[6].errors[0].status, TrialStatus::ok);
  const StepOrders orders = step_orders(result).at(0);
  EXPECT_EQ(orders.plateau_from, 1.0 / 32.0);
  EXPECT_EQ(orders.plateau_to, 1.0 / 16.0);
  // h ≥ 0.2: 1, 1/2, 1/4; h ≤ 0.004: 1/256 and below. Exact powers: round-off only.
  EXPECT_NEAR(orders.stiff.order, 2.0, 1e-12);
  EXPECT_NEAR(orders.resolved.order, 5.0, 1e-12);
  // For increasing h the first order closer to 2 than to 5 is the order between 1/32 and 1/16.
  EXPECT_NEAR(orders.crossover, std::sqrt(1.0 / 16.0 / 32.0) / 0.02, 1e-12);
  EXPECT_NEAR(orders.least, 0.0, 1e-12) << "0.0155 twice, from 1/16 to 1/32";
  EXPECT_NEAR(orders.least_at, std::sqrt(1.0 / 16.0 / 32.0) / 0.02, 1e-12);
  // Negative control: a constant order has no plateau and no crossover.
  std::vector<double> one;
  for (int k = 0; k < 12; ++k) one.push_back(std::pow(2.0, -3.0 * k));
  const StepOrders none = step_orders(with_errors(one)).at(0);
  EXPECT_TRUE(std::isnan(none.plateau_from));
  EXPECT_TRUE(std::isnan(none.crossover));
  EXPECT_NEAR(none.least, 3.0, 1e-12);
}

TEST(StepOrders, AreNanNextToAFailureAndNegativeForGrowingErrors) {
  const BenchmarkResult result = with_errors({1e-3, std::nan(""), 1e-5, 4e-5});
  EXPECT_TRUE(std::isnan(result.trials[1].errors[0].observed_order));
  EXPECT_TRUE(std::isnan(result.trials[2].errors[0].observed_order));
  EXPECT_NEAR(result.trials[3].errors[0].observed_order, -2.0, 1e-12);
}

TEST(StepOrders, IgnoreRoundingErrorsAndDivergedSolves) {
  // Order 13: for h ≤ 1/8 only rounding errors remain.
  Benchmark benchmark = test::equal_steps({"radau_iia_7"});
  for (int k = 7; k <= 10; ++k) benchmark.steps.push_back(2.0 / (1 << k));
  const BenchmarkResult result = run_benchmark(benchmark, test::logistic(1.0));
  EXPECT_EQ(result.trials.back().errors[0].status, TrialStatus::reference_limited);
  EXPECT_LT(step_orders(result).at(0).resolved.count, 4u);
  const BenchmarkResult exploded = with_errors({1e6, 1e5, 1e4, 1e-3, 1e-4, 1e-5});
  EXPECT_TRUE(std::isnan(exploded.trials[2].errors[0].observed_order));
  EXPECT_EQ(step_orders(exploded).at(0).stiff.count, 0u);
}

}  // namespace
}  // namespace rigidlimit
