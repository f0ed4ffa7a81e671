// Step size and order control of a Radau IIA solve.
//
// Hairer & Wanner, Solving ODEs II (1996), section IV.8; Gustafsson (1994) for the predictive
// controller; Hairer & Wanner (1999), Stiff differential equations solved by Radau methods, for the
// order.
#pragma once

#include <vector>

namespace rigidlimit {

/// The step size from the errors of the last two steps and the contraction of the iteration. An
/// estimate of s stages behaves as h^(s+1).
class RadauStepControl {
 public:
  /// `wanted_contraction`: θ of the iteration at the largest step that pays.
  explicit RadauStepControl(double wanted_contraction) : wanted_contraction_(wanted_contraction) {}

  /// The step after one of size h with the scaled error `error` (1: just tolerable), for which
  /// Newton's iteration took `iterations` of `most_iterations`. Call accepted() or rejected()
  /// after.
  double proposed(double h, double error, int stages, int iterations, int most_iterations) const;

  /// h_new, at most h (θ_wanted/θ)^(1/2) with the contraction θ of the step h (1: unknown), and at
  /// most 0.8 times the last step whose iteration failed, for five accepted steps after it.
  double bounded(double h_new, double h, double contraction) const;

  void accepted(double h, double error);
  void iteration_failed(double h);

  /// Whether the error has not fallen with the step as a discretisation error would: it may come
  /// from the iteration.
  bool error_defies_step(double h, double error, int stages) const;
  void rejected() { may_grow_ = false; }

  /// Discards stored errors of another method.
  void forget() { h_before_ = 0.0; }

 private:
  double wanted_contraction_;
  double failed_ = 0.0;  ///< the last step whose iteration failed
  int bounded_steps_ = 0;
  double h_before_ = 0.0;  ///< 0: no accepted step is stored
  double error_before_ = 0.0;
  bool may_grow_ = true;  ///< false after a rejected attempt, until a step is accepted
};

/// Number of stages: odd, initially and at most the one for the tolerance. It decreases after two
/// failures of Newton's iteration with a new matrix within five steps, and increases after five
/// steps whose iteration contracts fast.
class RadauOrderControl {
 public:
  /// `stages` > 0: constant. Otherwise for the tolerance rtol, at most `most` (odd, ≥ 3).
  RadauOrderControl(int stages, double rtol, int most);

  int stages() const { return stages_; }

  /// After an accepted step with this contraction of its iteration. true: stages() has changed.
  bool accepted(double contraction);
  /// After an iteration that failed with a new matrix. true: stages() has changed.
  bool iteration_failed();

 private:
  bool change_to(int stages);

  int least_, most_, stages_;
  int steps_since_failure_ = 1000;
  int fast_steps_ = 0;  ///< in a row
};

}  // namespace rigidlimit
