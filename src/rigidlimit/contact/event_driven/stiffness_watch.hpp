// Detects that stability, not accuracy, limits the steps of an explicit method.
#pragma once

#include <functional>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// Every 100 attempted steps the largest |λ| of ∂f/∂y at the current state is multiplied by the
/// mean of these steps. Explicit pairs of order 5 to 8 are stable up to h |λ| of 3 to 5. If their
/// error limits the step at tolerances from 1e-6 on, h |λ| of the motion stays below 1. Beyond
/// `stability_bound` the problem is stiff there, and the solve is requested to stop.
class StiffnessWatch {
 public:
  static constexpr long steps_between = 100;
  static constexpr double stability_bound = 2.0;

  /// Wraps the right-hand side, to record the current state, and the stop request. The watch must
  /// outlive the solve. `problem` must have a Jacobian.
  StiffnessWatch(OdeProblem& problem, SolveOptions& solve);
  StiffnessWatch(const StiffnessWatch&) = delete;
  StiffnessWatch& operator=(const StiffnessWatch&) = delete;

  /// True if the watch stopped the solve, whose outcome is then Outcome::interrupted.
  bool stiff() const { return stiff_; }

 private:
  bool step_begins();
  double largest_eigenvalue() const;

  std::function<void(double, VectorIn, MatrixOut)> jacobian_;
  double t_ = 0.0;  ///< time of the last evaluation of f
  VectorXd y_;
  double t_before_ = 0.0;  ///< time of the last check
  long steps_ = 0;
  bool stiff_ = false;
};

}  // namespace rigidlimit
