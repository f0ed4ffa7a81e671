// A method of one's own beside those of the catalogue, as docs/extending.md shows it.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/solvers/implicit_stage.hpp"
#include "support/sample_benchmark.hpp"

namespace {

using namespace rigidlimit;

/// Alexander's diagonally implicit method of order 2, with the method of order 1 that its first
/// stage gives for an estimate.
class Sdirk2 final : public ImplicitFormula {
 public:
  using ImplicitFormula::ImplicitFormula;
  const char* name() const override { return "sdirk2"; }
  int estimate_order() const override { return 1; }

  StepFailure step(const StepTask& task, VectorXd& y_new, VectorXd& error) override {
    const double g = (1.0 - std::sqrt(0.5)) * task.h;
    VectorXd stage = task.y;
    StepFailure failure = solve_stage(task, {task.t + g, g, task.y}, stage);
    if (failure != StepFailure::none) return failure;
    const VectorXd rate = (stage - task.y) / g;
    y_new = stage;
    failure = solve_stage(task, {task.t + task.h, g, task.y + (task.h - g) * rate}, y_new);
    if (task.estimate) error = y_new - task.y - task.h * rate;
    return failure;
  }

  void between(double theta, const VectorXd& y0, const VectorXd& y1, VectorXd& y) override {
    y = (1.0 - theta) * y0 + theta * y1;
  }
};

constexpr OdeMethod sdirk2 = {
    .name = "sdirk2",
    .title = "SDIRK of order 2",
    .order = 2,
    .stability = "L-stable",
    .source = "own; Alexander (1977)",
    .stiff = true,
    .exact_jacobian = false,
    .fixed_step = true,
    .dense_output = true,
    .stages = 2,
    .solve = [](const OdeProblem& problem, const std::vector<double>& times,
                const SolveOptions& options) {
      Sdirk2 formula(problem);
      return solve_one_step(problem, times, options, formula);
    }};

// y' = y (1 − y) to t = 2 with equal steps 1/2 … 1/32: the last two errors are one factor 4 apart,
// to 4 h of it. Negative control: the catalogue's method of order 1 is not.
TEST(OwnMethod, StandsInABenchmarkBesideThoseOfTheCatalogue) {
  Benchmark benchmark = test::equal_steps({"implicit_euler"});
  benchmark.methods.push_back(&sdirk2);
  const BenchResult result = run_benchmark(benchmark, test::logistic(1.0), test::two_at_a_time());
  const auto order = [&](const OdeMethod* method) {
    std::vector<double> errors;
    for (const Trial& trial : result.trials)
      if (trial.method == method) errors.push_back(trial.errors.at(0).error);
    EXPECT_EQ(errors.size(), 5u) << method->name;
    return std::log2(errors.at(3) / errors.at(4));
  };
  EXPECT_NEAR(order(&sdirk2), 2.0, 0.15);
  EXPECT_NEAR(order(benchmark.methods.front()), 1.0, 0.15);
}

// The stiff contact of a study, in adapted variables, with steps by tolerance.
TEST(OwnMethod, SolvesTheContactOfAStudyTheBetterTheTighterItsTolerance) {
  Benchmark benchmark = test::benchmark_from(test::sample_benchmark_text);
  benchmark.methods = {&sdirk2};
  benchmark.most_steps = 20000;
  const BenchResult result = run_benchmark(benchmark, test::two_at_a_time());
  int compared = 0;
  for (std::size_t k = 0; k + 1 < result.trials.size(); k += 2) {
    const Trial &loose = result.trials[k], &tight = result.trials[k + 1];
    if (result.problems[loose.problem].formulation != "adapted") continue;
    ASSERT_EQ(tight.problem, loose.problem);
    ASSERT_GT(loose.setting.rtol, tight.setting.rtol);
    EXPECT_EQ(loose.outcome, Outcome::success) << loose.reason;
    EXPECT_EQ(tight.outcome, Outcome::success) << tight.reason;
    for (std::size_t g = 0; g < tight.errors.size(); ++g) {
      EXPECT_LT(tight.errors[g].error, loose.errors[g].error);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 2 * 3) << "two values of ε, three groups";
}

}  // namespace
