// Reader of [contact].
#pragma once

#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// The keys of [contact] that at least one of the named laws uses.
struct ContactKeys {
  bool stiffness;    ///< C of a spring, also for the critical damping behind a damping ratio
  bool damping;      ///< D
  bool exponent;     ///< β
  bool preparation;  ///< η(0): preparation and deflection
};

ContactKeys keys_of(const ContactSpec& contact);

/// Reads the laws and their keys, for study.model. A law ignores the keys that it does not use; a
/// key that no named law uses is an error.
void read_contact(Section section, RollingStudy& study);

/// "viscous and inertial".
std::string names_of_laws(const ContactSpec& contact);

}  // namespace rigidlimit
