// Definitions of solvers/radau_stepper.hpp: one step.
#pragma once

#include "rigidlimit/solvers/radau_stepper.hpp"

namespace rigidlimit {

template <class T>
void RadauStepper<T>::write(double tau, Index column, SolutionOf<T>& solution) {
  if (tau == t_) {
    room_ = y_;
  } else {
    const T theta = (T(tau) - T(previous_.t0)) / previous_.h;
    basis_.resize(previous_.tableau->stages);
    previous_.increment(theta, basis_, room_);
    room_ += previous_.y0;
  }
  if (problem_.coordinates)
    problem_.coordinates->output(T(tau), room_, solution.states.col(column));
  else
    solution.states.col(column) = room_;
}

template <class T>
Outcome RadauStepper<T>::attempt(double, double end) {
  if (Outcome outcome = prepare(); outcome != Outcome::success) return outcome;
  // 1e-9: the rounding of t must not leave a step of that size; 1e-4: nor a needless last one.
  const double wanted = options_.max_step > 0.0 ? std::min(h_, options_.max_step) : h_;
  const bool lands = t_ + wanted * (1.0 + (fixed_ ? 1e-9 : 1e-4)) >= end;
  const double t_new = lands ? end : t_ + wanted;
  const double h = last_step_ = t_new - t_;
  if (t_new == t_ || (!lands && h <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(t_)))
    return give_up(last_failure_);
  set_weights(h);
  if (10.0 * goal_.round_off > 1.0) return give_up(Failure::round_off);
  if (jacobian_.stale()) {
    factorised_h_ = 0.0;
    if (!jacobian_.evaluate(t_, y_, matrix_)) return give_up(Failure::not_finite);
  }
  if (!factorise(h)) return retry(0.5 * h, Failure::singular);
  step_.y0 = y_;
  step_.t0 = t_;
  step_.h = T(t_new) - T(t_);
  predict();
  const RadauIteration iteration = stages_.solve(step_, matrix_, weight_, goal_, contraction_);
  work_.newton_iterations += iteration.iterations;
  if (iteration.end != End::converged) return iteration_failed(iteration);
  const double error = fixed_ ? 0.0 : estimated_error();
  if (!(error < 1.0)) return error_test_failed(error, iteration);
  if (watch_.active())
    if (const auto tau = root()) return land_on_root(*tau);
  accept(t_new, error, iteration);
  return Outcome::success;
}

/// New coordinates where they are due, and f at the start of the step.
template <class T>
Outcome RadauStepper<T>::prepare() {
  if (std::exchange(coordinates_due_, false)) rechoose_coordinates();
  if (!f_known_ && !fixed_) {
    problem_.rhs(T(t_), y_, f_);
    ++work_.rhs_evaluations;
    f_known_ = true;
  }
  if (!fixed_ && !f_.template cast<double>().allFinite()) return give_up(Failure::not_finite);
  return Outcome::success;
}

/// The new coordinates turn with the state: y' in them is P y' and the rate of P besides, which
/// the slope of the last polynomial, multiplied by P, lacks. f on either side tells it; f is
/// computed from the same state, so that its round-off cancels in spite of the stiffness.
template <class T>
void RadauStepper<T>::rechoose_coordinates() {
  MatrixXd change(n_, n_);
  const bool slope_wanted = between_ && previous_known_ && !fixed_;
  if (slope_wanted) {
    problem_.rhs(T(t_), y_, f_moved_);
    ++work_.rhs_evaluations;
  }
  turning_.setZero(n_);
  if (!problem_.coordinates->rechoose(0.0, y_, change)) {
    if (slope_wanted) std::swap(f_, f_moved_);
    f_known_ = f_known_ || slope_wanted;
    return;
  }
  f_known_ = false;
  if (previous_known_) {
    const auto P = change.template cast<T>().eval();
    previous_.Z = (P * previous_.Z).eval();
    previous_.y0 = (P * previous_.y0).eval();
    if (slope_wanted) {
      problem_.rhs(T(t_), y_, f_);
      ++work_.rhs_evaluations;
      f_known_ = true;
      turning_ = f_ - P * f_moved_;
    }
  }
  jacobian_.change_coordinates(change, matrix_);
  if (jacobian_.moved()) factorised_h_ = 0.0;
}

/// Index 2 is determined one order of h worse: its error counts h times (Hairer & Wanner II,
/// VII.4); an index i > 2, h^(i−1) times.
template <class T>
void RadauStepper<T>::set_weights(double h) {
  for (Index i = 0; i < n_; ++i) {
    weight_(i) = 1.0 / (atol_(i) + options_.rtol * std::abs(static_cast<double>(y_(i))));
    if (index_ == nullptr) continue;
    for (int power = 1; power < (*index_)[static_cast<std::size_t>(i)]; ++power)
      weight_(i) *= std::min(1.0, h);
  }
  // One rounding of the largest component: no correction below it means anything.
  goal_.round_off = static_cast<double>(std::numeric_limits<T>::epsilon()) *
                    y_.template cast<double>().cwiseProduct(weight_).cwiseAbs().maxCoeff();
  const double wanted = iteration_share_ * std::min(0.01, std::sqrt(options_.rtol));
  goal_.error = fixed_ ? goal_.round_off
                       : std::max(10.0 * std::sqrt(iteration_share_) * goal_.round_off, wanted);
  goal_.most_iterations = fixed_ ? 60 : 7 + 2 * std::max(0, step_.tableau->stages - 3);
}

template <class T>
double RadauStepper<T>::norm(const VectorXd& x) const {
  return x.cwiseProduct(weight_).norm() / std::sqrt(static_cast<double>(n_));
}

/// A step that differs by the rounding of t alone keeps its factors.
template <class T>
bool RadauStepper<T>::factorise(double h) {
  if (std::abs(h - factorised_h_) <= 1e-9 * h) return true;
  ++work_.factorisations;
  const bool good = matrix_.factorise(step_.tableau->transform, h);
  factorised_h_ = good ? h : 0.0;
  return good;
}

template <class T>
void RadauStepper<T>::predict() {
  if (!previous_known_) {
    step_.Z.setZero();
    return;
  }
  basis_.resize(previous_.tableau->stages);
  const T ratio = step_.h / previous_.h;
  const T begin = (T(t_) - T(previous_.t0)) / previous_.h;  // 1
  for (Index i = 0; i < step_.Z.cols(); ++i) {
    previous_.increment(begin + step_.tableau->c(i) * ratio, basis_, room_);
    step_.Z.col(i) = room_ + previous_.y0 - y_;
  }
}

/// ‖((γ/h) M − J)⁻¹ (f(t₀, y₀) − M u'(t₀))‖: the defect of the collocation polynomial at the start,
/// where it does not collocate, filtered. With a large estimate after a start or a failure it is
/// filtered twice, which a stiff transient needs (Hairer & Wanner II, IV.8, (8.20)).
template <class T>
double RadauStepper<T>::estimated_error() {
  const Index s = step_.tableau->stages;
  slope_.setZero();
  for (Index j = 0; j < s; ++j) {
    const T d = step_.tableau->slope_at_start(j) / step_.h;
    for (Index n = 0; n < n_; ++n) slope_(n) += d * step_.Z(n, j);
  }
  room_ = slope_;
  if (mass_ != nullptr) room_ = (mass_->template cast<T>() * slope_).eval();
  filtered_ = (f_ - room_).template cast<double>();
  matrix_.filter(filtered_);
  double error = norm(filtered_);
  if (error >= 1.0 && (repeated_ || work_.steps == 0)) {
    y_moved_ = y_ + filtered_.template cast<T>();
    problem_.rhs(T(t_), y_moved_, f_moved_);
    ++work_.rhs_evaluations;
    filtered_ = (f_moved_ - room_).template cast<double>();
    matrix_.filter(filtered_);
    error = norm(filtered_);
  }
  return between_ && previous_known_ ? std::max(error, interpolant_error()) : error;
}

/// Between the nodes of a stiff step the polynomial errs as hˢ⁺¹ y^(s+1), which no estimate of the
/// error at the nodes sees: they may be all but exact. What shows it is the jump of slope where two
/// polynomials meet: bulge · h · |u'(t₀+) − u'(t₀−)|. (f at t₀ instead would multiply round-off by
/// the stiffness.)
template <class T>
double RadauStepper<T>::interpolant_error() {
  const auto& before = *previous_.tableau;
  for (Index j = 0; j < before.stages; ++j) {
    const T d = before.slope_at_end(j) / previous_.h;
    for (Index n = 0; n < n_; ++n) slope_(n) -= d * previous_.Z(n, j);
  }
  if (turning_.size() == n_) slope_ -= turning_;
  filtered_ = (step_.tableau->bulge * last_step_) * slope_.template cast<double>();
  return norm(filtered_);
}

template <class T>
void RadauStepper<T>::accept(double t_new, double error, const RadauIteration& iteration) {
  const double h = last_step_;
  const int s = step_.tableau->stages;
  ++work_.steps;
  failures_in_a_row_ = 0;
  contraction_ = iteration.iterations > 1 ? iteration.contraction : std::pow(contraction_, 0.8);
  jacobian_.step_accepted(iteration.contraction <= 1e-3);
  double h_new = h_;
  if (!fixed_) {
    h_new = control_.proposed(h, error, s, iteration.iterations, goal_.most_iterations);
    if (control_.error_defies_step(h, error, s)) tighten_iteration();
    control_.accepted(h, error);
    const bool steady = h_new >= h && h_new <= 1.2 * h && !jacobian_.stale();
    if (steady) h_new = h;  // the factors are kept
  }
  std::swap(previous_, step_);
  previous_known_ = true;
  y_ = previous_.y0 + previous_.Z.col(s - 1);
  t_ = t_new;
  f_known_ = false;
  repeated_ = false;
  coordinates_due_ = problem_.coordinates != nullptr;
  step_.tableau = previous_.tableau;
  step_.Z.resize(n_, s);
  if (!fixed_ && order_.accepted(iteration.contraction, h_new / h)) choose_stages(order_.stages());
  if (jacobian_.stale()) factorised_h_ = 0.0;
  h_ = h_new;
}

template <class T>
Work RadauStepper<T>::work() const {
  Work work = work_;
  work.rhs_evaluations += stages_.evaluations();
  work.jacobian_evaluations = jacobian_.evaluations();
  work.linear_solves = matrix_.solves();
  return work;
}

}  // namespace rigidlimit
