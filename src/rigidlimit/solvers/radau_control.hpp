// How a Radau IIA solve chooses its steps and its order.
//
// Hairer & Wanner, Solving ODEs II (1996), section IV.8; Gustafsson (1994) for the predictive
// controller; Hairer & Wanner (1999), Stiff differential equations solved by Radau methods, for the
// order.
#pragma once

#include <vector>

namespace rigidlimit {

/// The step from the errors of the last two. An estimate of s stages behaves as h^(s+1).
class RadauStepControl {
 public:
  /// The step after one of size h with the scaled error `error` (1: just tolerable), for which
  /// Newton's iteration took `iterations` of `most_iterations`. Call accepted() or rejected()
  /// after.
  double proposed(double h, double error, int stages, int iterations, int most_iterations) const;

  void accepted(double h, double error);

  /// The error has not fallen with the step as a discretisation's would: it may be the iteration's.
  bool error_defies_step(double h, double error, int stages) const;
  void rejected() { may_grow_ = false; }

  /// The errors remembered belong to another method.
  void forget() { h_before_ = 0.0; }

 private:
  double h_before_ = 0.0;  ///< 0: no accepted step is remembered
  double error_before_ = 0.0;
  bool may_grow_ = true;  ///< false after a rejected attempt, until a step is accepted
};

/// Which number of stages: odd, at the start and at most the one that suits the tolerance; fewer
/// when Newton's iteration is slow or fails (not for want of a better matrix), more again when it
/// contracts fast at a steady step.
class RadauOrderControl {
 public:
  /// `stages` > 0: always that many. Otherwise for the tolerance rtol, at most `most` (odd, ≥ 3).
  RadauOrderControl(int stages, double rtol, int most);

  int stages() const { return stages_; }

  /// After an accepted step: its contraction rate and h_new / h. true: stages() has changed.
  bool accepted(double contraction, double growth);
  /// After an iteration that failed. true: stages() has changed.
  bool iteration_failed();

 private:
  bool change_to(int stages);

  int least_, most_, stages_;
  int steps_since_change_ = 0;
};

}  // namespace rigidlimit
