// Step attempts of a Radau IIA solve, driven by run_steps().
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/solvers/initial_step.hpp"
#include "rigidlimit/solvers/radau/radau_control.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "rigidlimit/solvers/radau/radau_jacobian.hpp"
#include "rigidlimit/solvers/radau/radau_stages.hpp"
#include "rigidlimit/solvers/root_watch.hpp"
#include "rigidlimit/solvers/solve_input.hpp"

namespace rigidlimit {

template <class T>
class RadauStepper {
 public:
  using VectorT = Vector<T, Eigen::Dynamic>;

  /// `mass` and `index` as in MassProblemOf, nullptr for y' = f. `between`: there is output between
  /// steps, so that the error test covers the interpolant.
  RadauStepper(const OdeProblemOf<T>& problem, const MatrixXd* mass, const std::vector<int>* index,
               double end, bool between, const SolveOptions& options, const RadauOptions& radau);

  double t() const { return t_; }
  void write(double tau, Index column, SolutionOf<T>& solution);
  Outcome attempt(double next, double end);
  Work work() const;
  double last_step() const { return last_step_; }
  const std::string& message() const { return message_; }

  /// Located roots, and the state if one of them ended the solve.
  const std::vector<Root>& roots() const { return watch_.roots(); }
  VectorXd state() const { return y_.template cast<double>(); }

 private:
  using End = RadauIteration::End;
  enum class Failure { error_test, iteration, round_off, not_finite, singular };

  void choose_stages(int stages);
  void start(double end);
  double linear_first_step(const VectorXd& f0) const;
  void rechoose_coordinates();
  Outcome prepare();
  bool evaluate_jacobian(double h);
  bool factorise(double h);
  void find_floor();
  void predict();
  double estimated_error();
  double interpolant_error();
  double norm(const VectorXd& x) const;
  void accept(double t_new, double error, const RadauIteration& iteration);
  std::optional<double> root();
  void shorten(double tau);
  void rate_at_end(double t, VectorIn y, VectorOut f);
  Outcome land_on_root(double tau);
  Outcome iteration_failed(const RadauIteration& iteration);
  Outcome error_test_failed(double error, const RadauIteration& iteration);
  Outcome retry(double h, Failure failure);
  Outcome give_up(Failure failure);
  void set_weights(double h);
  void tighten_iteration() { iteration_share_ = std::max(1e-3, 0.1 * iteration_share_); }

  const OdeProblemOf<T>& problem_;
  const std::vector<int>* index_;
  const MatrixXd* mass_;
  SolveOptions options_;
  VectorXd atol_;  ///< N
  bool fixed_, between_;
  Index n_;

  RadauStepControl control_;
  RadauJacobian<T> jacobian_;
  RadauNewtonMatrix matrix_;
  StageEquations<T> stages_;
  RadauCollocation<T> step_, previous_;  ///< the attempted step, and the last accepted one
  bool previous_known_ = false;

  double t_;
  VectorT y_, f_, y_moved_, f_moved_, slope_, room_, basis_;
  bool f_known_ = false;  ///< f_ = f(t_, y_)
  VectorXd weight_, filtered_, floor_;
  RadauNewtonGoal goal_;
  double h_ = 0.0, last_step_ = 0.0;
  double factorised_h_ = 0.0;  ///< 0: no factors, or those of another Jacobian
  double contraction_ = 1.0;   ///< of the last step; 1: unknown
  /// Factor of κ. Errors that an iteration leaves in stiff modes that turn with the configuration
  /// fail the next error test; such a failure tightens κ (knife edge in (q, v, η), ε = 1e-4, rtol
  /// 1e-6: 91 instead of 680 steps).
  double iteration_share_ = 1.0;
  bool repeated_ = false;  ///< the attempt before this one failed
  bool coordinates_due_ = false;
  RootWatch watch_;  ///< in double only
  VectorT at_root_;
  int failures_in_a_row_ = 0;
  Failure last_failure_ = Failure::error_test;
  Work work_;
  std::string message_;
};

// Start of a solve

/// Upper limit of radau_stages_for(). Up to 15 stages the transform to eigenvectors keeps 8
/// digits.
template <class T>
inline constexpr int most_radau_stages_in = std::numeric_limits<T>::digits > 53 ? 15 : 7;

template <class T>
RadauStepper<T>::RadauStepper(const OdeProblemOf<T>& problem, const MatrixXd* mass,
                              const std::vector<int>* index, double end, bool between,
                              const SolveOptions& options, const RadauOptions& radau)
    : problem_(problem),
      index_(index),
      mass_(mass),
      options_(options),
      atol_(absolute_tolerances(options, problem.y0.size())),
      fixed_(options.fixed_step > 0.0),
      between_(between),
      n_(problem.y0.size()),
      control_(0.25),
      jacobian_(problem),
      matrix_(n_, mass),
      stages_(problem, mass),
      t_(problem.t0),
      y_(problem.y0),
      f_(n_),
      y_moved_(n_),
      f_moved_(n_),
      slope_(n_),
      room_(n_),
      weight_(n_),
      filtered_(n_),
      watch_(problem.name, std::is_same_v<T, double> ? problem.roots : nullptr) {
  if (problem.coordinates) problem.coordinates->reset();
  choose_stages(radau.stages > 0 ? radau.stages
                                 : radau_stages_for(options.rtol, most_radau_stages_in<T>));
  h_ = fixed_ ? options.fixed_step : options.initial_step;
  if (watch_.active()) watch_.begin(t_, state());
  if (end > t_) start(end);
}

template <class T>
void RadauStepper<T>::choose_stages(int stages) {
  step_.tableau = &radau_tableau<T>(stages);
  step_.Z.setZero(n_, stages);
  basis_.resize(stages);
  stages_.resize(stages);
}

/// f(t0, y0), and the first step unless it is given.
template <class T>
void RadauStepper<T>::start(double end) {
  if (fixed_) return;
  problem_.rhs(T(t_), y_, f_);
  ++work_.rhs_evaluations;
  f_known_ = true;
  const VectorXd f0 = f_.template cast<double>();
  if (h_ > 0.0 || !f0.allFinite()) return;
  OdeProblem in_double;
  in_double.t0 = t_;
  in_double.y0 = y_.template cast<double>();
  in_double.rhs = [this](double t, VectorIn y, VectorOut dydt) {
    const VectorT y_here = y.template cast<T>();
    VectorT f_here(n_);
    problem_.rhs(T(t), y_here, f_here);
    ++work_.rhs_evaluations;
    dydt = f_here.template cast<double>();
  };
  h_ = initial_step(in_double, f0, step_.tableau->stages, end - t_, options_);
  if (mass_ == nullptr && jacobian_.evaluate(t_, y_, matrix_))
    h_ = std::min(h_, linear_first_step(f0));
}

/// The rule above may miss the fast motion of a stiff problem: at a start off its slow manifold
/// y^(s+1) is about Jˢ f. This is the step for which the error estimate tends to half the
/// tolerance.
template <class T>
double RadauStepper<T>::linear_first_step(const VectorXd& f0) const {
  const int s = step_.tableau->stages;
  VectorXd x = f0;
  double log_size = std::log(0.5 / step_.tableau->estimate_constant);
  for (int k = 0; k < s; ++k) {
    jacobian_.apply(x);
    const double size = x.cwiseAbs().maxCoeff();
    if (!(size > 0.0) || !std::isfinite(size)) return std::numeric_limits<double>::infinity();
    x /= size;  // J^s alone may overflow
    log_size -= std::log(size);
  }
  const VectorXd weight =
      (atol_.array() + options_.rtol * y_.template cast<double>().array().abs()).inverse();
  log_size -= std::log(x.cwiseProduct(weight).norm() / std::sqrt(static_cast<double>(n_)));
  return std::exp(log_size / (s + 1.0));
}

// One step

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
  // 1e-9: rounding of t must not leave a step of that size; 1e-4: avoids a needless last step.
  const double wanted = options_.max_step > 0.0 ? std::min(h_, options_.max_step) : h_;
  const bool lands = t_ + wanted * (1.0 + (fixed_ ? 1e-9 : 1e-4)) >= end;
  const double t_new = lands ? end : t_ + wanted;
  const double h = last_step_ = t_new - t_;
  if (t_new == t_ || (!lands && h <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(t_)))
    return give_up(last_failure_);
  set_weights(h);
  if (10.0 * goal_.round_off > 1.0) return give_up(Failure::round_off);
  step_.y0 = y_;
  step_.t0 = t_;
  step_.h = T(t_new) - T(t_);
  predict();
  if (jacobian_.stale()) {
    factorised_h_ = 0.0;
    if (!evaluate_jacobian(h)) return give_up(Failure::not_finite);
  }
  if (!factorise(h)) return retry(0.5 * h, Failure::singular);
  goal_.floor = std::max(goal_.round_off, norm(floor_));
  const RadauIteration iteration =
      solve_stages(stages_, step_, matrix_, weight_, goal_, contraction_);
  work_.newton_iterations += iteration.iterations;
  if (iteration.end != End::converged) return iteration_failed(iteration);
  const double error = fixed_ ? 0.0 : estimated_error();
  if (!(error < 1.0)) return error_test_failed(error, iteration);
  if (watch_.active())
    if (const auto tau = root()) return land_on_root(*tau);
  accept(t_new, error, iteration);
  return Outcome::success;
}

/// Rechooses coordinates if needed, and evaluates f at the start of the step.
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

/// The stages of the last step are the same states in the new coordinates, so that the polynomial
/// through them extrapolates the motion as well as before.
template <class T>
void RadauStepper<T>::rechoose_coordinates() {
  MatrixXd change(n_, n_);
  const Index history = previous_known_ ? 1 + previous_.Z.cols() : 0;
  MatrixX<T> states(n_, 1 + history);
  states.col(0) = y_;
  if (previous_known_) {
    states.col(1) = previous_.y0;
    states.rightCols(history - 1) = previous_.Z.colwise() + previous_.y0;
  }
  if (!problem_.coordinates->rechoose(0.0, states, change)) return;
  f_known_ = false;
  y_ = states.col(0);
  if (previous_known_) {
    previous_.y0 = states.col(1);
    previous_.Z = states.rightCols(history - 1).colwise() - previous_.y0;
  }
  jacobian_.change_coordinates(change, matrix_);
  if (jacobian_.moved()) factorised_h_ = 0.0;
}

/// The order of an index-2 component is lower by one power of h: its error is multiplied by h
/// (Hairer & Wanner II, VII.4); for an index i > 2, by h^(i−1).
template <class T>
void RadauStepper<T>::set_weights(double h) {
  for (Index i = 0; i < n_; ++i) {
    weight_(i) = 1.0 / (atol_(i) + options_.rtol * std::abs(static_cast<double>(y_(i))));
    if (index_ == nullptr) continue;
    for (int power = 1; power < (*index_)[static_cast<std::size_t>(i)]; ++power)
      weight_(i) *= std::min(1.0, h);
  }
  // One rounding of the largest component: smaller corrections are meaningless.
  goal_.round_off = static_cast<double>(std::numeric_limits<T>::epsilon()) *
                    y_.template cast<double>().cwiseProduct(weight_).cwiseAbs().maxCoeff();
  const double wanted = iteration_share_ * std::min(0.01, std::sqrt(options_.rtol));
  goal_.error = fixed_ ? goal_.round_off
                       : std::max(10.0 * std::sqrt(iteration_share_) * goal_.round_off, wanted);
  // Where a contact closes or opens, an iteration that grows may find stages beyond the switch. The
  // kinks of a DAE need it.
  goal_.transient = watch_.active() && mass_ == nullptr ? 1 : 3;
  goal_.most_iterations = fixed_ ? 60 : 7 + 2 * std::max(0, step_.tableau->stages - 3);
}

template <class T>
double RadauStepper<T>::norm(const VectorXd& x) const {
  return x.cwiseProduct(weight_).norm() / std::sqrt(static_cast<double>(n_));
}

/// A step that differs only by the rounding of t keeps its factors.
template <class T>
bool RadauStepper<T>::factorise(double h) {
  if (std::abs(h - factorised_h_) <= 1e-9 * h) return true;
  ++work_.factorisations;
  const bool good = matrix_.factorise(step_.tableau->transform, h);
  factorised_h_ = good ? h : 0.0;
  if (good) find_floor();
  return good;
}

/// At the middle of the predicted step: the iteration contracts about twice as fast as with the
/// Jacobian at its start. With roots at the start: beyond a contact that closes, the Jacobian is so
/// stiff that the filter would hide the error of the step that meets it.
template <class T>
bool RadauStepper<T>::evaluate_jacobian(double h) {
  if (!previous_known_ || watch_.active()) return jacobian_.evaluate(t_, y_, matrix_);
  basis_.resize(previous_.tableau->stages);
  const T begin = (T(t_) - T(previous_.t0)) / previous_.h;
  previous_.increment(begin + T(0.5) * step_.h / previous_.h, basis_, room_);
  room_ += previous_.y0;
  return jacobian_.evaluate(t_ + 0.5 * h, room_, matrix_);
}

/// Round-off in f is about u |J| |y|; ((γ/h) M − J)⁻¹ times it is the correction that it causes.
template <class T>
void RadauStepper<T>::find_floor() {
  filtered_ = y_.template cast<double>();
  jacobian_.apply_magnitudes(filtered_);
  matrix_.filter(filtered_);
  floor_ = static_cast<double>(std::numeric_limits<T>::epsilon()) * filtered_.cwiseAbs();
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

/// ‖((γ/h) M − J)⁻¹ (f(t₀, y₀) − M u'(t₀))‖: the filtered defect of the collocation polynomial at
/// the start, which is not a collocation point. If the estimate is large after a start or a
/// failure, it is filtered twice, as a stiff transient needs (Hairer & Wanner II, IV.8, (8.20)).
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

/// Between the nodes of a stiff step the polynomial has an error hˢ⁺¹ y^(s+1). An estimate at the
/// nodes misses it, because they may be almost exact. The jump of slope where two polynomials meet
/// shows it: bulge · h · |u'(t₀+) − u'(t₀−)|. (f at t₀ instead would multiply round-off by the
/// stiffness.)
template <class T>
double RadauStepper<T>::interpolant_error() {
  const auto& before = *previous_.tableau;
  for (Index j = 0; j < before.stages; ++j) {
    const T d = before.slope_at_end(j) / previous_.h;
    for (Index n = 0; n < n_; ++n) slope_(n) -= d * previous_.Z(n, j);
  }
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
    // Motions between impacts are short: the bound costs them 6 % more steps.
    if (!watch_.active())
      h_new = control_.bounded(h_new, h, iteration.iterations > 1 ? iteration.contraction : 1.0);
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

// After a failed attempt

template <class T>
Outcome RadauStepper<T>::iteration_failed(const RadauIteration& iteration) {
  const Failure why = iteration.end == End::not_finite ? Failure::not_finite
                      : iteration.end == End::stagnant ? Failure::round_off
                                                       : Failure::iteration;
  // If a fresh matrix may help, the step is unchanged.
  const bool fresh = jacobian_.fresh();
  jacobian_.iteration_failed();
  contraction_ = 1.0;
  if (fixed_) return jacobian_.stale() ? retry(h_, why) : give_up(why);  // the step is fixed
  if (why == Failure::not_finite) return retry(0.25 * last_step_, why);
  const bool again = why == Failure::iteration && !fresh;
  if (why == Failure::iteration && !again) control_.iteration_failed(last_step_);
  return retry((again ? 1.0 : iteration.shrink) * last_step_, why);
}

template <class T>
Outcome RadauStepper<T>::error_test_failed(double error, const RadauIteration& iteration) {
  if (!std::isfinite(error)) return retry(0.25 * last_step_, Failure::not_finite);
  const double h = control_.proposed(last_step_, error, step_.tableau->stages, iteration.iterations,
                                     goal_.most_iterations);
  if (!jacobian_.fresh()) jacobian_.mark_stale();
  tighten_iteration();
  return retry(h, Failure::error_test);
}

template <class T>
Outcome RadauStepper<T>::retry(double h, Failure failure) {
  ++work_.rejected_steps;
  repeated_ = true;
  control_.rejected();
  if (jacobian_.stale()) factorised_h_ = 0.0;
  h_ = h;
  last_failure_ = failure;
  // 100 failures shrink a step by 10^20 or more; the resolution of t gives no limit if t0 = 0.
  if (++failures_in_a_row_ < 100) return Outcome::success;
  const Outcome outcome = give_up(failure);
  return failure == Failure::error_test ? Outcome::error_test_failure : outcome;
}

template <class T>
Outcome RadauStepper<T>::give_up(Failure failure) {
  const auto say = [&](const char* what) {
    message_ = fmt::format("Radau IIA: step {:.3g} at t = {:.17g} {}", last_step_, t_, what);
  };
  switch (failure) {
    case Failure::iteration: say("fails in the Newton iteration"); return Outcome::newton_failure;
    case Failure::round_off: say("cannot satisfy the tolerance"); return Outcome::accuracy_limit;
    case Failure::not_finite: say("gives values that are not finite"); return Outcome::not_finite;
    case Failure::singular: say("has a singular matrix"); return Outcome::singular_matrix;
    case Failure::error_test: break;
  }
  say("is below the resolution of t");
  return Outcome::step_underflow;
}

}  // namespace rigidlimit
