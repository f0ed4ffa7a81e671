// Whether stability, not accuracy, holds the steps of an explicit method.
#pragma once

#include <functional>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// Every 100 attempted steps the largest |λ| of ∂f/∂y, where the solve is, is multiplied by the
/// mean of these steps. Explicit pairs of order 5 to 8 are stable up to h |λ| of 3 to 5; where
/// their error decides at tolerances from 1e-6 on, h |λ| of the motion they follow stays below 1.
/// Beyond `stability_bound` the problem is stiff there, and the solve is asked to stop.
class StiffnessWatch {
 public:
  static constexpr long steps_between = 100;
  static constexpr double stability_bound = 2.0;

  /// Wraps the right-hand side, to see where the solve is, and the question whether to stop. The
  /// watch must outlive the solve. `problem` must have a Jacobian.
  StiffnessWatch(OdeProblem& problem, SolveOptions& solve);
  StiffnessWatch(const StiffnessWatch&) = delete;
  StiffnessWatch& operator=(const StiffnessWatch&) = delete;

  /// It has stopped the solve, whose outcome is Outcome::interrupted then.
  bool stiff() const { return stiff_; }

 private:
  bool step_begins();
  double largest_eigenvalue() const;

  std::function<void(double, VectorIn, MatrixOut)> jacobian_;
  double t_ = 0.0;  ///< where f was asked for last
  VectorXd y_;
  double t_before_ = 0.0;  ///< where it was at the last look
  long steps_ = 0;
  bool stiff_ = false;
};

}  // namespace rigidlimit
