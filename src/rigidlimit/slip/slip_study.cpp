#include "rigidlimit/slip/slip_study.hpp"

#include <fmt/format.h>

namespace rigidlimit {

const char* name_of(FrictionalLaw::Friction friction) {
  return friction == FrictionalLaw::Friction::projected ? "projected" : "regularised";
}

const char* name_of(SlipSolvers::Reference reference) {
  return reference == SlipSolvers::Reference::closed_form ? "closed_form" : "event_driven";
}

std::string text_of(const SlipLaw& law) {
  if (law.friction == FrictionalLaw::Friction::regularised) return "regularised";
  return fmt::format("projected, κ = {:.4g}", law.tangential_power);
}

bool SlipExpectation::concerns(const SlipLaw& law, const SlipMeasure& measured) const {
  return measured == measure && (!friction || *friction == law.friction) &&
         (!tangential_power || *tangential_power == law.tangential_power);
}

FrictionalLaw law_of(const SlipStudy& study, const SlipLaw& law) {
  return {.friction = law.friction,
          .tangential_stiffness = study.contact.tangential_stiffness,
          .normal_stiffness = study.contact.normal_stiffness,
          .damping_ratio = study.contact.damping_ratio,
          .tangential_power = law.tangential_power,
          .plastic_exponent = study.contact.plastic_exponent,
          .creep = study.contact.creep};
}

}  // namespace rigidlimit
