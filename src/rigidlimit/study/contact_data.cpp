#include "rigidlimit/study/contact_data.hpp"

namespace rigidlimit {

bool is_consistent(const Pair& pair, const InitialState& state) {
  const double sliding = pair.sliding_velocity(state).cwiseAbs().maxCoeff();
  return sliding <= 1e-13 * (1.0 + state.v.cwiseAbs().maxCoeff());
}

InitialState rigid_start(const Pair& pair, const Study& study) {
  InitialState start = study.initial;
  start.v = pair.projected_velocity(start);
  return start;
}

ViscoelasticLaw law_of(const Pair& pair, const Study& study) {
  const ContactSpec& contact = study.contact;
  ViscoelasticLaw law{.stiffness = contact.stiffness,
                      .damping = contact.damping,
                      .damping_exponent = contact.damping_exponent};
  if (contact.damping_ratio)
    law.damping = *contact.damping_ratio *
                  critical_damping(pair.delassus(study.initial.q), contact.stiffness);
  return law;
}

VectorXd initial_deflection(const Pair& pair, const Study& study) {
  switch (study.contact.preparation) {
    case ContactSpec::Preparation::given: return study.contact.deflection;
    case ContactSpec::Preparation::prepared:
      return study.contact.stiffness.ldlt().solve(pair.multiplier(rigid_start(pair, study)));
    case ContactSpec::Preparation::unloaded: break;
  }
  return VectorXd::Zero(pair.contacts());
}

}  // namespace rigidlimit
