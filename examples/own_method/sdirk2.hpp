// A user-defined method: the formula for a step, and its entry in the registry of benchmarks.
#pragma once

#include <cmath>
#include <vector>

#include "rigidlimit/solvers/method.hpp"
#include "rigidlimit/solvers/one_stage/implicit_stage.hpp"

namespace own {

using namespace rigidlimit;

/// Alexander's diagonally implicit method of order 2, with an error estimate from the method of
/// order 1 that its first stage defines.
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

inline constexpr OdeMethod sdirk2 = {
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

}  // namespace own
