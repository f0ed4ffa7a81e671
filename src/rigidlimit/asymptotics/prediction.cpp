#include "rigidlimit/asymptotics/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/asymptotics/layer.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/interpolation.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {
namespace {

/// x(0) of the layer.
VectorXd layer_start(const Expansion& of) {
  VectorXd x0(2 * of.stiffness.rows());
  if (of.prepared()) {
    const VectorXd sliding = symmetric_solve(of.stiffness, of.multiplier_rate);
    x0 << symmetric_solve(of.stiffness, VectorXd(of.damping * sliding)), -sliding;
  } else {
    x0 << -of.missing_load, VectorXd::Zero(of.stiffness.rows());
  }
  return x0;
}

void require_epsilon(double epsilon) {
  if (!(epsilon > 0.0) || std::isinf(epsilon))
    throw InputError(fmt::format("epsilon must be > 0 and finite, not {}", epsilon));
}

}  // namespace

Prediction::Prediction(Expansion expansion, std::vector<double> times,
                       std::function<bool()> stop_requested)
    : expansion_(std::move(expansion)) {
  // Far below what the leading terms leave out; the problem is not stiff.
  const SolveOptions options{
      .rtol = 1e-12, .atol = 1e-13, .stop_requested = std::move(stop_requested)};
  const Solution solution =
      find_ode_method("runge_kutta_fehlberg78")->solve(expansion_.outer, times, options);
  outcome_ = solution.outcome;
  message_ = solution.message;
  work_ = solution.work;
  const Index rigid = expansion_.coordinates + expansion_.velocities;
  outer_.times = std::move(times);
  outer_.q = solution.states.middleRows(rigid, expansion_.coordinates);
  outer_.v = solution.states.bottomRows(expansion_.velocities);
  outer_.lambda.resize(expansion_.contacts, solution.states.cols());
  lambda1_ = MatrixXd::Zero(expansion_.contacts, solution.states.cols());
  for (Index k = 0; k < outer_.lambda.cols(); ++k) {
    const double t = outer_.times[static_cast<std::size_t>(k)];
    outer_.lambda.col(k) = expansion_.lambda2(t, solution.states.col(k));
    if (expansion_.lambda1) lambda1_.col(k) = expansion_.lambda1(t, solution.states.col(k));
  }
}

Prediction::Prediction(Expansion expansion, Motion outer, MatrixXd lambda1, Outcome outcome,
                       std::string message, const Work& work)
    : expansion_(std::move(expansion)),
      outer_(std::move(outer)),
      lambda1_(std::move(lambda1)),
      outcome_(outcome),
      message_(std::move(message)),
      work_(work) {}

Prediction Prediction::at(const std::vector<double>& times) const {
  const Interpolation between(outer_.times, times);
  Prediction there = *this;
  there.outer_ = {times, between(outer_.q), between(outer_.v), between(outer_.lambda)};
  there.lambda1_ = between(lambda1_);
  return there;
}

std::vector<Index> Prediction::columns(const std::vector<double>& times) const {
  std::vector<Index> found;
  found.reserve(times.size());
  for (const double t : times) {
    const auto at = std::lower_bound(outer_.times.begin(), outer_.times.end(), t);
    if (at == outer_.times.end() || *at != t)
      throw InputError(fmt::format("the prediction has no grid time {}", t));
    found.push_back(at - outer_.times.begin());
  }
  return found;
}

Motion Prediction::outer(double epsilon, const std::vector<double>& times) const {
  require_epsilon(epsilon);
  const std::vector<Index> at = columns(times);
  const double e2 = epsilon * epsilon;
  return {.times = times,
          .q = e2 * outer_.q(Eigen::all, at),
          .v = e2 * outer_.v(Eigen::all, at),
          .lambda = epsilon * lambda1_(Eigen::all, at) + e2 * outer_.lambda(Eigen::all, at)};
}

Motion Prediction::layer(double epsilon, const std::vector<double>& times) const {
  require_epsilon(epsilon);
  const Layer layer(expansion_.delassus, expansion_.stiffness, expansion_.damping,
                    layer_start(expansion_));
  std::vector<double> taus;
  taus.reserve(times.size());
  for (const double t : times) taus.push_back(t / epsilon);
  const MatrixXd x = layer.states(taus);
  // One order less where the spring was prepared.
  const double scale = expansion_.prepared() ? epsilon : 1.0;
  Motion terms{.times = times, .q = {}, .v = {}, .lambda = {}};
  terms.lambda = scale * (expansion_.force_of_deflection * layer.deflection(x) +
                          expansion_.force_of_sliding * layer.sliding(x));
  terms.v = (scale * epsilon) * (expansion_.velocity_of_impulse *
                                 symmetric_solve(expansion_.delassus, layer.sliding(x)));
  if (expansion_.prepared())
    terms.q = MatrixXd::Zero(expansion_.coordinates, x.cols());
  else
    terms.q = (epsilon * epsilon) * (expansion_.coordinate_of_impulse *
                                     symmetric_solve(expansion_.delassus, layer.deflection(x)));
  return terms;
}

Motion Prediction::leading(double epsilon, const std::vector<double>& times) const {
  const Motion slow = outer(epsilon, times);
  Motion terms = layer(epsilon, times);
  terms.q += slow.q;
  if (expansion_.prepared()) {
    terms.v += slow.v;
    terms.lambda += epsilon * lambda1_(Eigen::all, columns(times));
  }
  return terms;
}

Motion Prediction::composite(double epsilon, const std::vector<double>& times) const {
  const Motion slow = outer(epsilon, times);
  Motion terms = layer(epsilon, times);
  terms.q += slow.q;
  terms.v += slow.v;
  terms.lambda += slow.lambda;
  return terms;
}

LeadingOrders Prediction::sup_orders() const {
  if (expansion_.prepared()) return {.q = 2.0, .v = 2.0, .lambda = 1.0};
  return {.q = 2.0, .v = 1.0, .lambda = 0.0};
}

LeadingOrders Prediction::l2_orders() const {
  if (expansion_.prepared()) return {.q = 2.0, .v = 2.0, .lambda = expansion_.lambda1 ? 1.0 : 1.5};
  return {.q = 2.0, .v = 1.5, .lambda = 0.5};
}

LeadingOrders Prediction::after_orders() const {
  return {.q = 2.0, .v = 2.0, .lambda = expansion_.lambda1 ? 1.0 : 2.0};
}

}  // namespace rigidlimit
