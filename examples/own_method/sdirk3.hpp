// A user-defined method: the formula for a step, and its properties.
#pragma once

#include <vector>

#include "rigidlimit/solvers/one_stage/implicit_stage.hpp"
#include "rigidlimit/solvers/own_method.hpp"

namespace own {

using namespace rigidlimit;

/// Alexander's diagonally implicit method with three stages and order 3, stiffly accurate. The
/// first two stages give a solution of order 2, which the error estimate is the distance from.
class Sdirk3 final : public ImplicitFormula {
 public:
  using ImplicitFormula::ImplicitFormula;
  const char* name() const override { return "sdirk3"; }
  int estimate_order() const override { return 2; }

  StepFailure step(const StepTask& task, VectorXd& y_new, VectorXd& error) override {
    constexpr double g = 0.43586652150845899942;  // g^3 - 3 g^2 + 3 g/2 - 1/6 = 0
    constexpr double c[] = {g, 0.5 * (1.0 + g), 1.0};
    constexpr double b2 = 0.25 * (6.0 * g * g - 20.0 * g + 5.0), b1 = 1.0 - g - b2;
    constexpr double a[3][2] = {{0.0, 0.0}, {0.5 * (1.0 - g), 0.0}, {b1, b2}};
    VectorXd rate[3], stage = task.y;
    for (int k = 0; k < 3; ++k) {
      VectorXd base = task.y;
      for (int j = 0; j < k; ++j) base += task.h * a[k][j] * rate[j];
      const StepFailure failure =
          solve_stage(task, {task.t + c[k] * task.h, g * task.h, base}, stage);
      if (failure != StepFailure::none) return failure;
      rate[k] = (stage - base) / (g * task.h);
    }
    y_new = stage;
    end_slope_ = task.h * rate[2];  // c_3 = 1
    constexpr double d2 = (1.0 - 2.0 * g) / (1.0 - g);
    if (task.estimate) error = y_new - task.y - task.h * ((1.0 - d2) * rate[0] + d2 * rate[1]);
    return StepFailure::none;
  }

  /// The parabola through both ends with the slope at the second one.
  void between(double theta, const VectorXd& y0, const VectorXd& y1, VectorXd& y) override {
    const double back = theta - 1.0;
    y = y1 + back * end_slope_ + back * back * (y0 - y1 + end_slope_);
  }

 private:
  VectorXd end_slope_;
};

inline OwnMethod sdirk3() {
  return {.name = "sdirk3",
          .title = "SDIRK of order 3",
          .order = 3,
          .stability = "L-stable",
          .source = "own; Alexander (1977)",
          .fixed_step = true,
          .dense_output = true,
          .stages = 3,
          .moves_coordinates = true,
          .solve = [](const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options) {
            Sdirk3 formula(problem);
            return solve_one_step(problem, times, options, formula);
          }};
}

}  // namespace own
