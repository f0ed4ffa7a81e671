#include "rigidlimit/asymptotics/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rigidlimit/asymptotics/layer.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/work_sum.hpp"
#include "rigidlimit/mechanics/switches.hpp"
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
                       const std::vector<Continuation>& switches, SolveOptions limits)
    : pieces_{std::move(expansion)} {
  if (times.empty()) throw InputError("the grid of output times is empty");
  const Expansion& first = pieces_.front();
  const auto count = static_cast<Index>(times.size());
  const auto none = [count](Index rows) { return MatrixXd::Constant(rows, count, std::nan("")); };
  outer_ = {std::move(times), none(first.coordinates), none(first.velocities),
            none(first.contacts)};
  lambda1_ = none(first.contacts);
  switch_states_.resize(first.outer.y0.size(), std::ssize(switches));
  Index begin = 0;
  for (std::size_t i = 0; i <= switches.size(); ++i) {
    const bool last = i == switches.size();
    const auto end =
        last ? outer_.times.end() : std::ranges::lower_bound(outer_.times, switches[i].t);
    const VectorXd y = solve_piece(last ? outer_.times.back() : switches[i].t, begin,
                                   end - outer_.times.begin(), limits);
    if (last || outcome_ != Outcome::success) return;
    switch_states_.col(static_cast<Index>(i)) = y;
    begin = end - outer_.times.begin();
    try {
      pieces_.push_back(switches[i].begin(y));
    } catch (const InputError& error) {
      outcome_ = Outcome::solver_error;
      message_ = error.what();
      return;
    }
  }
}

VectorXd Prediction::solve_piece(double limit, Index begin, Index end, SolveOptions& limits) {
  const Expansion& piece = pieces_.back();
  const bool lands = end < std::ssize(outer_.times);
  // A sample too close before a switch for a step between them has the state at the switch.
  const bool has_twin =
      lands && end > begin && are_twins(outer_.times[static_cast<std::size_t>(end - 1)], limit);
  const Index own = has_twin ? end - 1 : end;
  std::vector<double> grid(outer_.times.begin() + begin, outer_.times.begin() + own);
  if (lands) grid.push_back(limit);
  // Far below the remainder of the leading terms; the problem is not stiff.
  limits.rtol = 1e-12;
  limits.atol = 1e-13;
  const Solution solution =
      find_ode_method("runge_kutta_fehlberg78")->solve(piece.outer, grid, limits);
  outcome_ = solution.outcome;
  message_ = solution.message;
  add(work_, solution.work);
  limits.max_steps = std::max(1L, limits.max_steps - solution.work.steps);
  const Index rigid = piece.coordinates + piece.velocities;
  for (Index k = begin; k < end; ++k) {
    const VectorXd y = solution.states.col(std::min(k - begin, solution.states.cols() - 1));
    outer_.q.col(k) = y.segment(rigid, piece.coordinates);
    outer_.v.col(k) = y.tail(piece.velocities);
    const double t = outer_.times[static_cast<std::size_t>(k)];
    outer_.lambda.col(k) = piece.lambda2(t, y);
    lambda1_.col(k) = piece.lambda1 ? piece.lambda1(t, y) : VectorXd::Zero(piece.contacts);
  }
  return solution.states.rightCols(1);
}

Prediction::Prediction(Expansion expansion, const std::vector<Continuation>& switches,
                       MatrixXd switch_states, Motion outer, MatrixXd lambda1, Outcome outcome,
                       std::string message, const Work& work)
    : pieces_{std::move(expansion)},
      outer_(std::move(outer)),
      lambda1_(std::move(lambda1)),
      switch_states_(std::move(switch_states)),
      outcome_(outcome),
      message_(std::move(message)),
      work_(work) {
  if (outcome != Outcome::success) return;
  for (std::size_t i = 0; i < switches.size(); ++i)
    pieces_.push_back(switches[i].begin(switch_states_.col(static_cast<Index>(i))));
}

Prediction Prediction::at(const std::vector<double>& times, const Interpolation& between) const {
  Prediction there;
  there.pieces_ = pieces_;
  there.outer_ = {times, between(outer_.q), between(outer_.v), between(outer_.lambda)};
  there.lambda1_ = between(lambda1_);
  there.switch_states_ = switch_states_;
  there.outcome_ = outcome_;
  there.message_ = message_;
  there.work_ = work_;
  return there;
}

std::vector<Index> Prediction::columns(const std::vector<double>& times) const {
  std::vector<Index> found(times.size());
  std::iota(found.begin(), found.end(), Index{0});
  if (times == outer_.times) return found;
  found.clear();
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

Motion Prediction::layer(const Expansion& piece, double epsilon,
                         const std::vector<double>& times) const {
  const Layer layer(piece.delassus, piece.stiffness, piece.damping, layer_start(piece));
  // Zero before the layer, and after it has decayed to negligible size.
  constexpr double negligible = 1e-40;
  MatrixXd x = MatrixXd::Zero(2 * piece.stiffness.rows(), std::ssize(times));
  double largest = 0.0;
  for (Index k = 0; k < x.cols(); ++k) {
    const double tau = (times[static_cast<std::size_t>(k)] - piece.outer.t0) / epsilon;
    if (tau < 0.0) continue;
    x.col(k) = layer.state(tau);
    largest = std::max(largest, x.col(k).norm());
    if (x.col(k).norm() <= negligible * largest) break;
  }
  // One order smaller if the spring was prepared.
  const double scale = piece.prepared() ? epsilon : 1.0;
  Motion terms{.times = times, .q = {}, .v = {}, .lambda = {}};
  terms.lambda = scale * (piece.force_of_deflection * layer.deflection(x) +
                          piece.force_of_sliding * layer.sliding(x));
  terms.v = (scale * epsilon) *
            (piece.velocity_of_impulse * symmetric_solve(piece.delassus, layer.sliding(x)));
  if (piece.prepared())
    terms.q = MatrixXd::Zero(piece.coordinates, x.cols());
  else
    terms.q = (epsilon * epsilon) *
              (piece.coordinate_of_impulse * symmetric_solve(piece.delassus, layer.deflection(x)));
  return terms;
}

Prediction::Layers Prediction::layers_from(double from) const {
  Layers found = Layers::none;
  for (const Expansion& piece : pieces_) {
    if (piece.outer.t0 < from) continue;
    if (!piece.prepared()) return Layers::loaded;
    found = Layers::prepared;
  }
  return found;
}

Motion Prediction::leading(double epsilon, const std::vector<double>& times, double from) const {
  Motion terms = outer(epsilon, times);
  const Layers layers = layers_from(from);
  if (layers == Layers::none) return terms;
  if (layers == Layers::loaded) {
    terms.v.setZero();
    terms.lambda.setZero();
  } else {
    terms.lambda = epsilon * lambda1_(Eigen::all, columns(times));
  }
  for (const Expansion& piece : pieces_) {
    if (piece.outer.t0 < from || (layers == Layers::loaded && piece.prepared())) continue;
    const Motion more = layer(piece, epsilon, times);
    terms.q += more.q;
    terms.v += more.v;
    terms.lambda += more.lambda;
  }
  return terms;
}

void Prediction::add_layers(double epsilon, Motion& terms) const {
  for (const Expansion& piece : pieces_) {
    const Motion more = layer(piece, epsilon, terms.times);
    terms.q += more.q;
    terms.v += more.v;
    terms.lambda += more.lambda;
  }
}

Motion Prediction::layer(double epsilon, const std::vector<double>& times) const {
  require_epsilon(epsilon);
  const auto zero = [&times](Index rows) { return MatrixXd::Zero(rows, std::ssize(times)); };
  const Expansion& first = pieces_.front();
  Motion terms{times, zero(first.coordinates), zero(first.velocities), zero(first.contacts)};
  add_layers(epsilon, terms);
  return terms;
}

Motion Prediction::composite(double epsilon, const std::vector<double>& times) const {
  Motion terms = outer(epsilon, times);
  add_layers(epsilon, terms);
  return terms;
}

LeadingOrders Prediction::sup_orders(double from) const {
  switch (layers_from(from)) {
    case Layers::loaded: return {.q = 2.0, .v = 1.0, .lambda = 0.0};
    case Layers::prepared: return {.q = 2.0, .v = 2.0, .lambda = 1.0};
    case Layers::none: break;
  }
  return {.q = 2.0, .v = 2.0, .lambda = pieces_.front().lambda1 ? 1.0 : 2.0};
}

LeadingOrders Prediction::l2_orders(double from) const {
  const double after = pieces_.front().lambda1 ? 1.0 : 2.0;
  switch (layers_from(from)) {
    case Layers::loaded: return {.q = 2.0, .v = 1.5, .lambda = 0.5};
    case Layers::prepared: return {.q = 2.0, .v = 2.0, .lambda = std::min(after, 1.5)};
    case Layers::none: break;
  }
  return {.q = 2.0, .v = 2.0, .lambda = after};
}

}  // namespace rigidlimit
