#include "rigidlimit/asymptotics/frictional/friction_layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "rigidlimit/contact/event_driven/mode_equations.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

ContactResponse contact_response(const FrictionalSystem& system, const ContactStates& states,
                                 const std::vector<bool>& elastic, const VectorXd& q,
                                 const VectorXd& v, double t) {
  const ContactTerms terms = contact_terms(system, q, v, t);
  ContactResponse made;
  ContactStates others = with_directions(system, states, terms.rate);
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!elastic[i]) continue;
    const ContactPoint& contact = system.contacts[i];
    others[i].mode = ContactMode::slip;
    others[i].direction = VectorXd();  // closed, without friction
    for (Index k = 0; k < contact.components; ++k) made.rows.push_back(contact.first + k);
  }
  const auto count = static_cast<Index>(made.rows.size());
  const ModeUnknowns unknowns = unknowns_of(system, terms.normal_force, others);
  VectorXd reaction = unknowns.r0;
  MatrixXd change = MatrixXd::Zero(system.forces(), count);  // of the reaction (−λ, p) with λ
  for (Index k = 0; k < count; ++k) change(made.rows[static_cast<std::size_t>(k)], k) = -1.0;
  if (!unknowns.held.empty()) {
    const LeastSolution solution((terms.delassus * unknowns.R)(unknowns.held, Eigen::all),
                                 rank_of_modes);
    const VectorXd off =
        -exact_constraint_recovery * terms.rate - terms.free - terms.delassus * reaction;
    const MatrixXd off_change = -terms.delassus * change;
    reaction += unknowns.R * VectorXd(solution.of(MatrixXd(off(unknowns.held))));
    change += unknowns.R * solution.of(MatrixXd(off_change(unknowns.held, Eigen::all)));
  }
  made.sliding = terms.rows(made.rows, Eigen::all);
  made.acceleration = terms.acceleration + terms.response * reaction;
  made.response = -terms.response * change;
  made.sliding_rate = VectorXd(terms.delassus * reaction + terms.free)(made.rows);
  made.delassus = -MatrixXd(terms.delassus * change)(made.rows, Eigen::all);
  made.normal = reaction.tail(system.nc());
  made.normal_slope = change.bottomRows(system.nc());
  return made;
}

namespace {

/// The slowest rate of the contacts taken one by one, in 1/τ: ζσ, and σ(ζ − sqrt(ζ² − 1)) for ζ
/// > 1.
double slowest_rate(const FrictionLayerData& data) {
  double slowest = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < data.stiffness.size(); ++k) {
    const double half = 0.5 * data.at.delassus(k, k) * data.damping(k);
    const double square = data.at.delassus(k, k) * data.stiffness(k);
    const double gap = half * half - square;
    slowest = std::min(slowest, gap > 0.0 ? square / (half + std::sqrt(gap)) : half);
  }
  return slowest;
}

}  // namespace

FrictionLayer::FrictionLayer(FrictionLayerData data) : data_(std::move(data)) {
  const Index k = data_.before.size(), n = data_.at.acceleration.size();
  // exp(−45) is below round-off also after a factor τ of a double root.
  end_ = 45.0 / slowest_rate(data_);
  std::vector<double> taus;
  constexpr int count = 400;
  for (int i = 1; i <= count; ++i) taus.push_back(end_ * i / count);
  const MatrixXd y = solve(taus);
  const VectorXd last = y.col(count - 1);
  velocity_ = last.segment(k, n);
  displacement_ = last.segment(k + n, n) - end_ * velocity_;
  moment_ = last.tail(k);
  const double speed = y.middleRows(k, n).cwiseAbs().maxCoeff();
  leaves_ = velocity_.cwiseAbs().maxCoeff() > 1e-7 * speed;
  if (!leaves_) {
    displacement_ += end_ * velocity_;
    velocity_.setZero();
  }
  const double scale = data_.rigid.cwiseAbs().maxCoeff() + data_.before.cwiseAbs().maxCoeff();
  const double off = (force(end_, last) - data_.rigid).cwiseAbs().maxCoeff();
  if (!(off <= 1e-7 * scale))
    throw InputError(
        fmt::format("the contact forces do not settle at the rigid ones, but {:.3g} N off", off));
}

VectorXd FrictionLayer::pull(double tau, const VectorXd& y) const {
  const Index k = data_.before.size(), n = data_.at.acceleration.size();
  const VectorXd z = data_.sliding_drift * tau + data_.at.sliding * y.segment(k, n);
  return data_.stiffness.cwiseProduct(y.head(k)) + data_.damping.cwiseProduct(z);
}

/// μ|p| − |C η + D z| of each contact.
VectorXd FrictionLayer::margins(double tau, const VectorXd& y) const {
  const VectorXd p = data_.at.normal + data_.at.normal_slope * force(tau, y), x = pull(tau, y);
  VectorXd margins(std::ssize(data_.contacts));
  for (Index i = 0; i < margins.size(); ++i) {
    const ElasticContact& c = data_.contacts[static_cast<std::size_t>(i)];
    margins(i) = c.friction * std::abs(p(c.which)) - x.segment(c.first, c.components).norm();
  }
  return margins;
}

VectorXd FrictionLayer::force(double tau, const VectorXd& y) const {
  const VectorXd pull = this->pull(tau, y);
  VectorXd lambda = data_.rigid;
  // The bound depends on the forces where normals are held: a contraction with the factor μ
  // |∂p/∂λ|.
  for (int pass = 0; pass < 100; ++pass) {
    const VectorXd p = data_.at.normal + data_.at.normal_slope * lambda;
    VectorXd next = pull;
    for (const ElasticContact& c : data_.contacts) {
      const double bound = c.friction * std::abs(p(c.which));
      const double length = pull.segment(c.first, c.components).norm();
      if (length > bound) next.segment(c.first, c.components) *= bound / length;
    }
    const double moved = (next - lambda).cwiseAbs().maxCoeff();
    lambda = next;
    if (moved <= 1e-15 * (lambda.cwiseAbs().maxCoeff() + p.cwiseAbs().maxCoeff())) break;
  }
  return lambda;
}

VectorXd FrictionLayer::start() const {
  const Index k = data_.before.size();
  VectorXd y = VectorXd::Zero(2 * (k + data_.at.acceleration.size()));
  y.head(k) = data_.before.cwiseQuotient(data_.stiffness);
  return y;
}

MatrixXd FrictionLayer::solve(const std::vector<double>& taus) const {
  const Index k = data_.before.size(), n = data_.at.acceleration.size();
  OdeProblem problem;
  problem.name = "friction layer";
  problem.y0 = start();
  problem.rhs = [&](double tau, VectorIn in, VectorOut rate) {
    const VectorXd y = in;
    const VectorXd lambda = force(tau, y), off = lambda - data_.rigid;
    rate << (lambda - data_.stiffness.cwiseProduct(y.head(k))).cwiseQuotient(data_.damping),
        -data_.at.response * off, y.segment(k, n), tau * off;
  };
  // A step across a kink would spoil the interpolated states.
  problem.roots = std::make_shared<const RootFunctions>(RootFunctions{
      .count = std::ssize(data_.contacts),
      .values = [&](double tau, VectorIn y, VectorOut values) { values = margins(tau, y); }});
  SolveOptions options;
  options.rtol = 1e-11;
  const double scale = data_.rigid.cwiseAbs().maxCoeff() + data_.before.cwiseAbs().maxCoeff();
  options.atol = 1e-12 * std::max(scale, 1e-30);
  options.max_steps = 200000;
  const Solution solution =
      find_ode_method("runge_kutta_fehlberg78")->solve(problem, taus, options);
  if (solution.outcome != Outcome::success)
    throw InputError(
        fmt::format("the layer ends with {}: {}", name_of(solution.outcome), solution.message));
  return solution.states;
}

FrictionLayer::States FrictionLayer::at(const std::vector<double>& taus) const {
  const Index k = data_.before.size(), n = data_.at.acceleration.size();
  const auto inside = std::ranges::upper_bound(taus, end_) - taus.begin();
  MatrixXd y = MatrixXd::Zero(2 * k + 2 * n, static_cast<Index>(taus.size()));
  States states{.force = MatrixXd::Zero(k, y.cols()),
                .normal = {},
                .velocity = velocity_.replicate(1, y.cols()),
                .displacement = displacement_.replicate(1, y.cols())};
  const auto begun = std::ranges::upper_bound(taus, 0.0) - taus.begin();
  y.leftCols(begun).colwise() = start();
  if (inside > begun)
    y.middleCols(begun, inside - begun) = solve({taus.begin() + begun, taus.begin() + inside});
  for (Index i = 0; i < y.cols(); ++i) {
    const double tau = taus[static_cast<std::size_t>(i)];
    if (i >= inside) {
      states.displacement.col(i) += tau * velocity_;
      continue;
    }
    states.force.col(i) = force(tau, y.col(i)) - data_.rigid;
    states.velocity.col(i) = y.col(i).segment(k, n);
    states.displacement.col(i) = y.col(i).segment(k + n, n);
  }
  states.normal = data_.at.normal_slope * states.force;
  return states;
}

}  // namespace rigidlimit
