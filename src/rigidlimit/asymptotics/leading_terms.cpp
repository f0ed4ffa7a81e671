#include "rigidlimit/asymptotics/leading_terms.hpp"

#include <cmath>
#include <utility>

namespace rigidlimit {

namespace {

/// The terms of the viscous law λ = (D/δ) G v: those without a spring and with β = 2, in √δ.
class ViscousTerms final : public LeadingTerms {
 public:
  explicit ViscousTerms(std::unique_ptr<LeadingTerms> in_root) : terms_(std::move(in_root)) {}

  Motion at(double delta, const std::vector<double>& times, double from) const override {
    return terms_->at(std::sqrt(delta), times, from);
  }
  Motion known(double delta, const std::vector<double>& times) const override {
    return terms_->known(std::sqrt(delta), times);
  }
  LeadingOrders sup_orders(double from) const override {
    return terms_->sup_orders(from).times(0.5);
  }
  LeadingOrders l2_orders(double from) const override { return terms_->l2_orders(from).times(0.5); }
  double layer_share(double delta) const override { return terms_->layer_share(std::sqrt(delta)); }

 private:
  std::unique_ptr<LeadingTerms> terms_;
};

}  // namespace

std::unique_ptr<LeadingTerms> leading_terms(const CompliantStart& start) {
  const double beta = start.law.damping_exponent;
  if (beta == 0.0 || start.law.damping.isZero(0.0)) return leading_terms_of_ringing(start);
  return beta == 1.0 || beta == 2.0 ? leading_terms_of_series(start)
                                    : leading_terms_of_frozen_layer(start);
}

std::unique_ptr<LeadingTerms> leading_terms_of_viscous_law(CompliantStart start) {
  start.law.stiffness.setZero();
  start.law.damping_exponent = 2.0;
  start.eta0.setZero();
  return std::make_unique<ViscousTerms>(leading_terms_of_series(start));
}

}  // namespace rigidlimit
