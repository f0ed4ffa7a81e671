#include "rigidlimit/experiment/friction/friction_study.hpp"

#include <algorithm>

namespace rigidlimit {

const char* name_of(FrictionalLaw::Friction friction) {
  switch (friction) {
    case FrictionalLaw::Friction::projected: return "projected";
    case FrictionalLaw::Friction::regularised: return "regularised";
    case FrictionalLaw::Friction::smoothed: return "smoothed";
  }
  return "";
}

const char* name_of(FrictionSolvers::Reference reference) {
  return reference == FrictionSolvers::Reference::closed_form ? "closed_form" : "event_driven";
}

LawName name_of(const ComparedLaw& law) {
  LawName name{.name = name_of(law.friction), .tangential_power = {}};
  if (law.friction == FrictionalLaw::Friction::projected)
    name.tangential_power = law.tangential_power;
  return name;
}

std::string text_of(const ComparedLaw& law) {
  return text_of(name_of(law));
}

bool FrictionStudy::asks_for_modes() const {
  return compares_modes_only() || !modes.empty() || history.ends_agree ||
         history.compliant_sliding || history.force || history.modes_at_start;
}

bool has_closed_history(const FrictionStudy& study) {
  return study.model.closed_history && study.model.closed_history(study.initial, {study.time.end});
}

FrictionalLaw law_of(const FrictionStudy& study, const ComparedLaw& law) {
  return {.friction = law.friction,
          .tangential_stiffness = study.contact.tangential_stiffness,
          .normal_stiffness = study.contact.normal_stiffness,
          .damping_ratio = study.contact.damping_ratio,
          .tangential_power = law.tangential_power,
          .plastic_exponent = study.contact.plastic_exponent,
          .creep = study.contact.creep};
}

bool has_unilateral_contact(const FrictionStudy& study) {
  return std::ranges::any_of(study.model.contacts, [](const ContactPoint& contact) {
    return contact.normal == Normal::unilateral;
  });
}

}  // namespace rigidlimit
