// Steps of a Radau IIA solve that meet a root.
#pragma once

#include <optional>
#include <utility>

#include "rigidlimit/solvers/radau/radau_stepper.hpp"

namespace rigidlimit {

/// The step of length tau from the same start, in step_, with its own factors. Its error is below
/// that of the accepted step. If Newton fails in it, the polynomial of the accepted step is used.
template <class T>
void RadauStepper<T>::shorten(double tau) {
  const RadauCollocation<T> whole = step_;
  step_.h = T(tau);
  predict();
  const bool solved =
      factorise(tau) &&
      solve_stages(stages_, step_, matrix_, weight_, goal_, contraction_).end == End::converged;
  if (solved) return;
  VectorT increment(n_);
  basis_.resize(whole.tableau->stages);  // predict() resizes it for the step before
  for (Index i = 0; i < step_.Z.cols(); ++i) {
    whole.increment(whole.tableau->c(i) * T(tau) / whole.h, basis_, increment);
    step_.Z.col(i) = increment;
  }
}

/// y' at the end of step_. If M is singular, M y' = f does not determine it: then from the
/// polynomial.
template <class T>
void RadauStepper<T>::rate_at_end(double t, VectorIn y, VectorOut f) {
  if (mass_ != nullptr) {
    f.setZero();
    for (Index j = 0; j < step_.Z.cols(); ++j)
      f += static_cast<double>(step_.tableau->slope_at_end(j) / step_.h) *
           step_.Z.col(j).template cast<double>();
    return;
  }
  const VectorT y_here = y.template cast<T>();
  VectorT f_here(n_);
  problem_.rhs(T(t), y_here, f_here);
  ++work_.rhs_evaluations;
  f = f_here.template cast<double>();
}

/// tau of the first root in the attempted step; then step_ ends there, and at_root_ is the state.
/// Otherwise step_ is unchanged.
template <class T>
std::optional<double> RadauStepper<T>::root() {
  const RadauCollocation<T> whole = step_;
  VectorT increment(n_);
  const auto end_of = [&](const RadauCollocation<T>& step) {
    return VectorXd((y_ + step.Z.col(step.Z.cols() - 1)).template cast<double>());
  };
  VectorXd at_root = end_of(whole);
  const auto found =
      watch_.first_root({.t0 = t_,
                         .h = last_step_,
                         .end = at_root,
                         .look =
                             [&](double tau, VectorOut y) {
                               basis_.resize(whole.tableau->stages);
                               whole.increment(T(tau) / whole.h, basis_, increment);
                               y = (y_ + increment).template cast<double>();
                             },
                         .step_to =
                             [&](double tau, VectorOut y) {
                               step_ = whole;
                               shorten(tau);
                               y = end_of(step_);
                             },
                         .slope = [&](double t, VectorIn y, VectorOut f) { rate_at_end(t, y, f); }},
                        at_root);
  step_ = whole;
  if (found && *found < last_step_) shorten(*found);
  if (found) at_root_ = at_root.template cast<T>();
  return found;
}

/// Accepts step_, which ends at the root. The step after it starts without a prediction.
template <class T>
Outcome RadauStepper<T>::land_on_root(double tau) {
  ++work_.steps;
  failures_in_a_row_ = 0;
  contraction_ = 1.0;
  std::swap(previous_, step_);
  y_ = at_root_;
  t_ += tau;
  previous_known_ = false;
  f_known_ = false;
  repeated_ = true;  // as after a failure: the stiff components may have a new transient
  coordinates_due_ = problem_.coordinates != nullptr;
  step_.tableau = previous_.tableau;
  step_.Z.resize(n_, previous_.Z.cols());
  jacobian_.mark_stale();
  factorised_h_ = 0.0;
  control_.forget();
  VectorXd y = state();
  const bool goes_on = watch_.report(t_, y);
  y_ = y.template cast<T>();
  if (goes_on) return Outcome::success;
  message_ = watch_.message();
  return Outcome::stopped_at_root;
}

}  // namespace rigidlimit
