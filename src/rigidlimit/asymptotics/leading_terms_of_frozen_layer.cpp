#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/asymptotics/layer.hpp"
#include "rigidlimit/asymptotics/leading_terms.hpp"
#include "rigidlimit/asymptotics/series_expansion.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {
namespace {

/// The law with β = 1 and the same C and D: q₂, v₂ and e₀ are its own.
ViscoelasticLaw with_unit_exponent(ViscoelasticLaw law) {
  law.damping_exponent = 1.0;
  return law;
}

class FrozenLayerTerms final : public LeadingTerms {
 public:
  explicit FrozenLayerTerms(const CompliantStart& start)
      : beta_(start.law.damping_exponent),
        begin_(start.state.t),
        duration_(start.end - start.state.t),
        joints_(start.system.np),
        contacts_(contact_basis(start.system, start.state.q), with_unit_exponent(start.law)),
        series_(start.system, start.state, with_unit_exponent(start.law), start.eta0, 2, start.end,
                start.crossings, start.stop_requested) {
    if (!start.crossings.empty() || series_.slides() || !(beta_ > 0.0 && beta_ < 2.0))
      throw InputError(
          fmt::format("the leading terms for the damping exponent {} need a start that rolls, no "
                      "switch, and an "
                      "exponent between 0 and 2",
                      beta_));
    const Index r = contacts_.rank(), nq = start.system.nq;
    const VectorXd& q = start.state.q;
    delassus_ = delassus(start.system, q)(contacts_.rows, contacts_.rows);
    velocity_of_impulse_ = velocity_of_impulse(start.system, q)(Eigen::all, contacts_.rows);
    coordinate_of_impulse_.resize(nq, r);
    for (Index i = 0; i < r; ++i)
      start.system.in<double>().coordinate_rate(q, velocity_of_impulse_.col(i),
                                                coordinate_of_impulse_.col(i));
    const VectorXd outer = series_.outer(begin_, 0);
    missing_load_ = outer.tail(r) - contacts_.acting_deflection(start.eta0);
    const double load = series_.outer_size(0).lambda;
    if (series_.natural_parameter() * series_.outer_size(1).lambda > 1e-10 * load)
      throw InputError(
          fmt::format("the leading terms for the damping exponent {} need dampers that load no "
                      "internal force of redundant contacts",
                      beta_));
    if (!((contacts_.stiffness * missing_load_).norm() > 1e-10 * load))
      throw InputError(fmt::format(
          "the leading terms for the damping exponent {} need a spring that is not prepared",
          beta_));
  }

  Motion at(double epsilon, const std::vector<double>& times, double from) const override {
    return terms(epsilon, times, from > begin_);
  }
  Motion known(double epsilon, const std::vector<double>& times) const override {
    return terms(epsilon, times, true);
  }
  LeadingOrders sup_orders(double from) const override {
    if (from > begin_) return {.q = 2.0, .v = 2.0, .lambda = 2.0, .gap = 2.0};
    return {.q = 2.0, .v = std::max(1.0, beta_), .lambda = 0.0, .gap = 2.0};
  }
  /// λ is O(1) for a time ε^β (β < 1) or ε^(2−β), v is O(ε) or O(ε^β) for the same time.
  LeadingOrders l2_orders(double from) const override {
    if (from > begin_) return {.q = 2.0, .v = 2.0, .lambda = 2.0, .gap = 2.0};
    return {
        .q = 2.0, .v = 1.0 + 0.5 * beta_, .lambda = 0.5 * std::min(beta_, 2.0 - beta_), .gap = 2.0};
  }
  double layer_share(double epsilon) const override {
    return epsilon / (duration_ * layer(epsilon).slowest_rate());
  }

 private:
  Layer layer(double epsilon) const {
    VectorXd x0 = VectorXd::Zero(2 * contacts_.rank());
    x0.head(contacts_.rank()) = -missing_load_;
    return {delassus_, contacts_.stiffness, std::pow(epsilon, 1.0 - beta_) * contacts_.damping, x0};
  }
  /// q and gap always with their outer terms; v and λ have smaller ones.
  Motion terms(double epsilon, const std::vector<double>& times, bool with_outer) const {
    const double square = epsilon * epsilon;
    const double scale = std::pow(epsilon, 1.0 - beta_);
    const Layer layer = this->layer(epsilon);
    const Index nq = coordinate_of_impulse_.rows(), n = velocity_of_impulse_.rows(),
                m = contacts_.combination.rows(), count = std::ssize(times);
    Motion terms{.times = times,
                 .q = MatrixXd(nq, count),
                 .v = MatrixXd(n, count),
                 .lambda = MatrixXd(m, count),
                 .gap = MatrixXd(joints_, count)};
    for (Index i = 0; i < count; ++i) {
      const double t = times[static_cast<std::size_t>(i)];
      const MatrixXd x = layer.state((t - begin_) / epsilon);
      const MatrixXd eta = layer.deflection(x), omega = layer.sliding(x);
      const VectorXd outer = square * series_.outer(t, 2);
      terms.q.col(i) =
          outer.head(nq) + square * (coordinate_of_impulse_ * symmetric_solve(delassus_, eta));
      terms.v.col(i) = epsilon * (velocity_of_impulse_ * symmetric_solve(delassus_, omega));
      terms.lambda.col(i) =
          contacts_.force_of_deflection * eta + scale * (contacts_.force_of_sliding * omega);
      terms.gap.col(i) =
          square * (series_.outer_gap(t, 2) + contacts_.combination.bottomRows(joints_) * eta);
      if (!with_outer) continue;
      terms.v.col(i) += outer.segment(nq, n);
      terms.lambda.col(i) += outer.segment(nq + n, m);
    }
    return terms;
  }

  double beta_, begin_, duration_;
  Index joints_;
  ActingContacts<double> contacts_;
  SeriesExpansion<double> series_;
  MatrixXd delassus_;               ///< A = G_I M⁻¹ G_Iᵀ, r × r
  MatrixXd velocity_of_impulse_;    ///< W = M⁻¹ G_Iᵀ, n × r
  MatrixXd coordinate_of_impulse_;  ///< T W, nq × r
  VectorXd missing_load_;           ///< e₀ = C_r⁻¹ μ(0) − η_I(0), r
};

}  // namespace

std::unique_ptr<LeadingTerms> leading_terms_of_frozen_layer(const CompliantStart& start) {
  return std::make_unique<FrozenLayerTerms>(start);
}

}  // namespace rigidlimit
