// Definitions of solvers/radau_stepper.hpp: how a solve starts.
#pragma once

#include <type_traits>

#include "rigidlimit/solvers/initial_step.hpp"
#include "rigidlimit/solvers/radau_stepper.hpp"
#include "rigidlimit/solvers/solve_input.hpp"

namespace rigidlimit {

/// Where order selection ends. Up to 15 stages the transform to eigenvectors keeps 8 digits.
template <class T>
inline constexpr int most_radau_stages_in = std::numeric_limits<T>::digits > 100  ? 15
                                            : std::numeric_limits<T>::digits > 53 ? 9
                                                                                  : 7;

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
      order_(radau.stages, options.rtol, most_radau_stages_in<T>),
      jacobian_(problem, radau.newton == NewtonMatrix::fast_block && mass == nullptr),
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
  choose_stages(order_.stages());
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
  factorised_h_ = 0.0;
  control_.forget();
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

/// A stiff problem may hide its fast motion from the rule above: at a start off its slow manifold
/// y^(s+1) is about Jˢ f. The step for which the estimate of the error tends to half the tolerance.
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

}  // namespace rigidlimit
