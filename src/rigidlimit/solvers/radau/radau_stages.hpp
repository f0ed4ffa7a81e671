// Newton's iteration for the stages of a Radau IIA step.
#pragma once

#include <algorithm>
#include <cmath>

#include "rigidlimit/solvers/radau/stage_equations.hpp"

namespace rigidlimit {

/// Result of Newton's iteration for the stages.
struct RadauIteration {
  enum class End {
    converged,
    slow,        ///< diverges, or would not converge within the iterations allowed
    stagnant,    ///< round-off keeps the corrections above the goal
    not_finite,  ///< f, or a stage, is not finite
  };
  End end = End::slow;
  int iterations = 0;
  double contraction = 0.0;  ///< θ, the geometric mean of the last two ratios of corrections
  double shrink = 0.5;       ///< factor for the step if it failed
};

/// Goal of the iteration.
struct RadauNewtonGoal {
  int most_iterations = 10;
  double error = 1e-3;     ///< κ: bound on θ/(1 − θ) ‖Δ‖, in units of the tolerance
  double round_off = 0.0;  ///< norm of the round-off of the state, in the same units
  double floor = 0.0;      ///< norm that round-off in f gives to a correction, in the same units
};

/// Convergence test of an iteration, from its corrections.
class RadauConvergence {
 public:
  /// `expected_contraction` is that of the step before, 1 if unknown.
  RadauConvergence(const RadauNewtonGoal& goal, double expected_contraction)
      // 0.1: one correction is enough only if the prediction was almost exact. Trusting a ratio of
      // 1e-6 from the step before left errors of 20 tolerances (knife edge, rtol 1e-6, ε ≤ 1e-6).
      : goal_(goal), guess_(std::clamp(std::pow(expected_contraction, 0.8), 0.1, 1.0)) {}

  /// Whether the iteration ends with the correction number `result.iterations`, of this norm. If
  /// so, sets `result`; its contraction is always updated.
  bool ends_with(double norm, RadauIteration& result) {
    using End = RadauIteration::End;
    result.end = End::converged;
    if (norm <= goal_.round_off) return true;
    double share = guess_ / (1.0 - std::min(guess_, 0.99));
    if (result.iterations > 1) {
      const double ratio = norm / before_;
      const double theta = ratio_before_ > 0.0 ? std::sqrt(ratio * ratio_before_) : ratio;
      ratio_before_ = ratio;
      const bool at_floor = norm <= 100.0 * goal_.floor;
      if (at_floor && ratio > 0.5 && ratio > 4.0 * best_ratio_) {
        result.end = norm <= 0.1 ? End::converged : End::stagnant;
        return true;
      }
      best_ratio_ = std::min(best_ratio_, ratio);
      result.contraction = theta;
      share = theta / (1.0 - theta);
      if (theta >= 0.99 || too_slow(theta, share, norm, result)) {
        result.end = End::slow;
        return true;
      }
    }
    before_ = norm;
    return share * norm <= goal_.error;
  }

 private:
  /// Whether the error would exceed the goal after the last allowed iteration. If so, sets the
  /// factor by which the step must shrink.
  bool too_slow(double theta, double share, double norm, RadauIteration& result) const {
    const int left = goal_.most_iterations - result.iterations;
    const double at_last = std::pow(theta, left) * share * norm / goal_.error;
    if (!(at_last > 1.0)) return false;
    result.shrink = 0.8 * std::pow(std::clamp(at_last, 1e-4, 20.0), -1.0 / (4.0 + left));
    return true;
  }

  const RadauNewtonGoal& goal_;
  double guess_, before_ = 0.0, ratio_before_ = 0.0, best_ratio_ = 1.0;
};

/// Iterates from the prediction in step.Z with the equations of this step; stores the solution
/// there. `weight` (N) scales the norm; `expected_contraction` is that of the step before, 1 if
/// unknown.
template <class T>
RadauIteration solve_stages(StageEquations<T>& equations, RadauCollocation<T>& step,
                            RadauNewtonMatrix& matrix, const VectorXd& weight,
                            const RadauNewtonGoal& goal, double expected_contraction) {
  RadauIteration result;
  RadauConvergence convergence(goal, expected_contraction);
  equations.begin(step);
  bool ended = false;
  while (!ended && result.iterations < goal.most_iterations) {
    result.end = RadauIteration::End::not_finite;
    if (!equations.evaluate(step)) return result;
    const double norm = equations.correct(step, matrix, weight);
    if (!std::isfinite(norm)) return result;
    ++result.iterations;
    ended = convergence.ends_with(norm, result);
  }
  if (!ended) result.end = RadauIteration::End::slow;
  equations.finish(step);
  return result;
}

}  // namespace rigidlimit
