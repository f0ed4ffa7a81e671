#include "rigidlimit/experiment/pair/predicted_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/piecewise.hpp"

namespace rigidlimit {
namespace {

/// The terms of the viscous law λ = (D/δ) G v: those without a spring and with β = 2, in √δ.
class ViscousTerms final : public LeadingTerms {
 public:
  explicit ViscousTerms(const CompliantStart& start) : terms_(leading_terms_of_series(start)) {}

  Motion at(double delta, const std::vector<double>& times, double from) const override {
    return terms_->at(std::sqrt(delta), times, from);
  }
  Motion known(double delta, const std::vector<double>& times) const override {
    return terms_->known(std::sqrt(delta), times);
  }
  LeadingOrders sup_orders(double from) const override { return halved(terms_->sup_orders(from)); }
  LeadingOrders l2_orders(double from) const override { return halved(terms_->l2_orders(from)); }
  double layer_share(double delta) const override { return terms_->layer_share(std::sqrt(delta)); }

 private:
  static LeadingOrders halved(const LeadingOrders& x) {
    return {.q = 0.5 * x.q, .v = 0.5 * x.v, .lambda = 0.5 * x.lambda};
  }

  std::unique_ptr<LeadingTerms> terms_;
};

bool is_viscous(const LawInfo& law) {
  return law.realisation == Realisation::viscous;
}

std::unique_ptr<LeadingTerms> leading_terms(const RollingStudy& study, const LawInfo& law,
                                            const std::vector<SwitchCrossing>& crossings,
                                            const std::function<bool()>& stop_requested) {
  if (!can_be_predicted(law))
    throw InputError(fmt::format(
        "the law {} has no predicted constants; viscoelastic, elastic and viscous have them",
        law.name));
  // The projection changes a start that rolls by its rounding.
  const InitialState state =
      is_consistent(study.model, study.initial) ? rigid_start(study) : study.initial;
  CompliantStart start{
      .system = crossings.empty() ? system_at_start(study.model, state) : study.model,
      .state = state,
      .law = law_of(study, law),
      .eta0 = initial_deflection(study),
      .end = study.time.end_at(study.epsilons.back()),
      .crossings = crossings,
      .stop_requested = stop_requested};
  if (is_viscous(law)) {
    start.law.stiffness.setZero();
    start.law.damping_exponent = 2.0;
    start.eta0.setZero();
    return std::make_unique<ViscousTerms>(start);
  }
  const double beta = start.law.damping_exponent;
  if (!law.has_damper || beta == 0.0) return leading_terms_of_ringing(start);
  return beta == 1.0 || beta == 2.0 ? leading_terms_of_series(start)
                                    : leading_terms_of_frozen_layer(start);
}

}  // namespace

bool can_be_predicted(const LawInfo& law) {
  return law.has_spring() || is_viscous(law);
}

PredictedTerms predicted_terms(const RollingStudy& study, const LawInfo& law,
                               const std::vector<SwitchCrossing>& crossings,
                               const std::function<bool()>& stop_requested) {
  try {
    return {.terms = leading_terms(study, law, crossings, stop_requested), .reason = {}};
  } catch (const InputError& error) {
    return {.terms = nullptr, .reason = error.what()};
  }
}

}  // namespace rigidlimit
