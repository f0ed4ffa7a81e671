// [contact].
#pragma once

#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// Which keys of [contact] mean something to at least one of the laws named.
struct ContactKeys {
  bool stiffness;    ///< C of a spring, and of the critical damping that a damping ratio refers to
  bool damping;      ///< D
  bool exponent;     ///< β
  bool preparation;  ///< η(0): preparation and deflection
};

ContactKeys keys_of(const ContactSpec& contact);

/// Reads the laws and what they need, for study.model. Keys that mean something to one of several
/// laws are ignored by the others; one that means nothing to any is refused.
void read_contact(Section section, RollingStudy& study);

/// "viscous and inertial".
std::string names_of_laws(const ContactSpec& contact);

}  // namespace rigidlimit
