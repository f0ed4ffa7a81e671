// Tests the user-defined method of docs/extending.md next to the methods of the catalogue.
#include <gmock/gmock.h>

#include <cmath>

#include "../examples/own_method/sdirk3.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/sample_benchmark.hpp"

namespace {

using namespace rigidlimit;

/// The method of the example, among those of the library.
const OdeMethod& sdirk3() {
  static const OdeMethod* const method = [] {
    add_method(own::sdirk3());
    return find_ode_method("sdirk3");
  }();
  return *method;
}

// y' = y (1 − y) to t = 2 with equal steps 1/32 … 1/512: the ratio of the last two errors is 8, up
// to 8 h of it. Negative control: a method of order 1 of the catalogue has another ratio.
TEST(OwnMethod, RunsInABenchmarkWithMethodsOfTheCatalogue) {
  Benchmark benchmark = test::equal_steps({"implicit_euler"});
  benchmark.methods.push_back(&sdirk3());
  for (double& h : benchmark.steps) h /= 16.0;  // at 1/32 its terms of order 3 nearly cancel
  const BenchmarkResult result =
      run_benchmark(benchmark, test::logistic(1.0), test::two_at_a_time());
  const auto order = [&](const OdeMethod* method) {
    std::vector<double> errors;
    for (const Trial& trial : result.trials)
      if (trial.method == method) errors.push_back(trial.errors.at(0).error);
    EXPECT_EQ(errors.size(), 5u) << method->name;
    return std::log2(errors.at(3) / errors.at(4));
  };
  EXPECT_NEAR(order(&sdirk3()), 3.0, 0.15);
  EXPECT_NEAR(order(benchmark.methods.front()), 1.0, 0.15);
}

// Solves the stiff contact of a study in adapted variables, with adaptive steps.
TEST(OwnMethod, ErrorsOfAContactProblemDecreaseWithTheTolerance) {
  Benchmark benchmark = test::benchmark_from(test::sample_benchmark_text);
  benchmark.methods = {&sdirk3()};
  benchmark.most_steps = 20000;
  const BenchmarkResult result = run_benchmark(benchmark, test::two_at_a_time());
  int compared = 0;
  for (std::size_t k = 0; k + 1 < result.trials.size(); k += 2) {
    const Trial &loose = result.trials[k], &tight = result.trials[k + 1];
    if (result.problems[loose.problem].formulation != "adapted") continue;
    ASSERT_EQ(tight.problem, loose.problem);
    ASSERT_GT(loose.setting.rtol, tight.setting.rtol);
    EXPECT_EQ(loose.outcome, Outcome::success) << loose.message;
    EXPECT_EQ(tight.outcome, Outcome::success) << tight.message;
    for (std::size_t g = 0; g < tight.errors.size(); ++g) {
      EXPECT_LT(tight.errors[g].error, loose.errors[g].error);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 2 * 3) << "two values of ε, three groups";
}

}  // namespace
