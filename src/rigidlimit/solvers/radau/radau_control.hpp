// Step size control and number of stages of a Radau IIA solve.
//
// Hairer & Wanner, Solving ODEs II (1996), section IV.8; Gustafsson (1994) for the predictive
// controller.
#pragma once

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

/// The number of stages for the tolerance rtol: odd, at least 3 and at most `most`. The number of
/// steps grows as rtol^(−1/(s+1)), the work of a step a little faster than s: the least s with
/// rtol^(−1/(s+1)) ≤ 10^0.8 = 6. (Knife edge, right-hand sides at rtol 1e-6 for s = 3, 5, 7, 9:
/// 714, 320, 278, 295; at 1e-12: 20689, 2366, 976, 740.)
///
/// It stays the same for the whole solve. A change by the contraction of the iteration, as in
/// Hairer & Wanner's RADAU (1999), ends at 3 stages where stiff modes turn with the configuration,
/// and costs more at equal error (knife edge 1.2 to 1.7 times the right-hand sides, in the median).
int radau_stages_for(double rtol, int most);

}  // namespace rigidlimit
