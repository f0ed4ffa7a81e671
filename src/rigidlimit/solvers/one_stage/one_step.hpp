// Common part of the one-step methods: error test, step sizes, moving coordinates, output,
// failures. A method is a OneStepFormula.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// A requested step: from (t, y) by h > 0.
struct StepTask {
  double t = 0.0, h = 0.0;  ///< start and size of the step, s
  const VectorXd& y;        ///< N
  const VectorXd& weight;   ///< N, 1/(atol_i + rtol |y_i|): scales the norm of a Newton iteration
  bool estimate = true;     ///< compute the error; otherwise (fixed steps) `error` is not written
  bool output = false;      ///< an output time lies inside the step: between() will be called
};

/// Reason of a failed step.
enum class StepFailure { none, not_finite, singular, iteration };

/// The formula of a one-step method with the data of the current step. It counts its evaluations in
/// work(), except steps.
class OneStepFormula {
 public:
  /// For the solves of one problem, which must outlive it.
  explicit OneStepFormula(const OdeProblem& problem) : problem_(problem), n_(problem.y0.size()) {}
  virtual ~OneStepFormula() = default;

  /// "rodasp": the first word of a message.
  virtual const char* name() const = 0;

  /// q, where the estimated error is O(h^(q+1)).
  virtual int estimate_order() const = 0;

  /// Writes y(t + h) into y_new (N) and, if task.estimate, an estimate of its local error (N).
  /// Nothing is evaluated beyond t + h. May write non-finite values instead of reporting them.
  virtual StepFailure step(const StepTask& task, VectorXd& y_new, VectorXd& error) = 0;

  /// The last step was accepted: the next one starts at its end.
  virtual void accepted() = 0;

  /// The state is in other coordinates: discard stored data.
  virtual void restart() = 0;

  /// The condition number up to which coordinates are kept (MovingCoordinatesOf::rechoose).
  virtual double condition_bound() const { return 0.0; }

  /// Writes the state at t₀ + θ h, 0 < θ < 1, of the step just accepted, which led from (t₀, y0) to
  /// y1.
  virtual void between(double theta, const VectorXd& y0, const VectorXd& y1, VectorXd& y) = 0;

  /// Evaluations and factorisations so far.
  const Work& work() const { return work_; }

 protected:
  /// f, counted; false if it is not finite.
  bool rate(double t, VectorIn y, VectorOut f);
  /// ∂f/∂y, counted, and ∂f/∂t.
  void linearise(double t, const VectorXd& y, MatrixXd& dfdy, VectorXd& dfdt);

  const OdeProblem& problem_;  ///< to be solved
  Index n_;                    ///< N, its size
  Work work_;                  ///< counts of the formula
};

/// Drives `formula` over the grid. Error norm: the root mean square of e_i / (atol_i + rtol |y_i|),
/// with the larger |y_i| of the two ends of the step; a step is accepted below 1. Contract:
/// OdeMethod::solve, for a method with fixed steps and dense output that needs the Jacobian.
/// `formula` must belong to `problem`, and is used for one solve.
Solution solve_one_step(const OdeProblem& problem, const std::vector<double>& times,
                        const SolveOptions& options, OneStepFormula& formula);

/// Proportional-integral control (Gustafsson 1991; Hairer & Wanner, Solving ODEs II, IV.2): after
/// an accepted step with the estimated error e_n, in units of the tolerance, and one with e_(n−1)
/// before it,
///
///   h_new = 0.9 h e_n^(−0.7/k) e_(n−1)^(0.4/k),   k = estimate_order + 1,
///
/// where the estimate is O(h^k). The first steps, and those after a rejection, lack e_(n−1): then
/// 0.9 h e^(−1/k). No step that follows a rejection is larger than the accepted one.
class StepControl {
 public:
  explicit StepControl(int estimate_order) : k_(estimate_order + 1.0) {}

  /// The step after one of size h that was accepted with 0 ≤ error < 1.
  double accepted(double h, double error) {
    const double e = std::max(error, 1e-4);  // less has no effect: the clamp below limits it
    double factor = 0.9 * std::pow(e, -1.0 / k_);
    if (before_ > 0.0) factor = 0.9 * std::pow(e, -0.7 / k_) * std::pow(before_, 0.4 / k_);
    factor = std::clamp(factor, 0.2, rejected_ ? 1.0 : 5.0);
    before_ = e;
    rejected_ = false;
    return factor * h;
  }

  /// The step to try after one of size h failed with error ≥ 1.
  double rejected(double h, double error) {
    forget();
    return std::clamp(0.9 * std::pow(error, -1.0 / k_), 0.1, 0.9) * h;
  }

  /// Call after a step failed for another reason than its error.
  void forget() {
    before_ = 0.0;
    rejected_ = true;
  }

 private:
  double k_;
  double before_ = 0.0;  ///< error of the last accepted step; 0: none
  bool rejected_ = false;
};

}  // namespace rigidlimit
