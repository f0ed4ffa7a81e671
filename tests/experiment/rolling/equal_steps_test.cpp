// Tests studies with a fixed number of steps and their solver error estimates.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "support/sample_study.hpp"
#include "support/series_of_result.hpp"

namespace rigidlimit {
namespace {

/// Study of the viscous law, λ = D w/ε, at one ε. This ε is mild enough for every method: no layer
/// is thinner than a step.
RollingResult in_equal_steps(const std::string& solver, int steps) {
  return run_rolling_study(test::sample_study(
      {"contact={law=\"viscous\"}", "epsilon={from=0.5, to=0.25, count=2}", "expect=[]",
       "time={end=2.0, samples=9, layer_samples=2, layer_width=1.0}",
       "solvers={rigid=[\"closed_form\"], compliant=[\"" + solver +
           "\"], steps=" + std::to_string(steps) + ", rtol=1e-13, atol=1e-15}"}));
}

/// Row over all samples, which includes the lower-order error of the output between steps.
Row q_row(const RollingResult& result) {
  return test::series_of(result, Quantity::q).rows.front();
}

TEST(EqualSteps, EverySolveTakesTheGivenNumber) {
  for (const int steps : {40, 130})
    for (const char* solver : {"radau_iia_3", "radau_iia_7", "rosenbrock4"}) {
      const Row row = q_row(in_equal_steps(solver, steps));
      EXPECT_EQ(row.work.steps, steps) << solver;
      EXPECT_EQ(row.work.rejected_steps, 0) << solver;
    }
}

// The estimate is ‖N steps − 2N steps‖ 2^p/(2^p − 1) with the order p of the method. For an error
// h^p (K + O(h)) its relative error is O(h). The reference has 16 N steps; the bound is 20 %.
TEST(EqualSteps, SolverErrorIsTheErrorOfNSteps) {
  for (const char* solver : {"rosenbrock4", "radau_iia_3"}) {
    const int steps = 60;
    const RollingResult coarse = in_equal_steps(solver, steps),
                        fine = in_equal_steps(solver, 16 * steps);
    const double estimate = q_row(coarse).solver_error();
    EXPECT_GT(estimate, 0.0);
    // With the same samples, the sup norms of the model error differ by at most the solver error.
    const double seen = std::abs(q_row(coarse).model_error() - q_row(fine).model_error());
    EXPECT_LE(seen, 1.2 * estimate) << solver;
    // Half the steps give 2^4 times the error: rosenbrock4 and the output of three Radau stages
    // have order 4 (the Radau steps have 5). Half an order is left for the next term.
    const double found =
        std::log2(q_row(in_equal_steps(solver, steps / 2)).solver_error() / estimate);
    EXPECT_NEAR(found, 4.0, 0.5) << solver;
  }
}

// Negative control: the solver error depends on the method, the model error of the law does not.
TEST(EqualSteps, TooFewStepsGiveNoEvidence) {
  const Row few = q_row(in_equal_steps("rosenbrock4", 4));
  EXPECT_GT(few.solver_error(), 1e3 * q_row(in_equal_steps("rosenbrock4", 100)).solver_error());
}

}  // namespace
}  // namespace rigidlimit
