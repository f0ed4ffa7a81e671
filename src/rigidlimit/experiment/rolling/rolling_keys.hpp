// The keys of a rolling study.
#pragma once

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// Tables of a rolling study, each with the members that it fills.
namespace rolling_keys {
const KeyTable<RollingStudy>& study();
const KeyTable<RollingStudy>& initial();
const KeyTable<RollingStudy>& tangent();
const KeyTable<RollingStudy>& contact();
const KeyTable<RollingStudy>& epsilon();
const KeyTable<RollingStudy>& time();
const KeyTable<RollingStudy>& solvers();
const KeyTable<CompliantSettings>& solver();  ///< [solvers.NAME]
const KeyTable<RollingStudy>& output();
const KeyTable<RollingStudy>& composite();
const KeyTable<ExpectationSpec>& expectation();
const KeyTable<StepsSpec>& steps();  ///< [[expect]] with quantity = "steps"
const KeyTable<BoundSpec>& bound();
/// The valid begins of the window "after", in [time] and in claims.
Range begins_of_window(const RollingStudy& study);
}  // namespace rolling_keys

/// Every table in the order of the resolved file, with [system].
std::vector<KeyTableInfo> tables_of_rolling_studies();

/// The keys of [contact] that at least one of the named laws uses.
struct ContactKeys {
  bool stiffness;    ///< C of a spring, also for the critical damping behind a damping ratio
  bool damping;      ///< D
  bool exponent;     ///< β
  bool preparation;  ///< η(0): preparation and deflection
};

ContactKeys keys_of(const ContactSpec& contact);

/// Why such a law has no formulation, in messages.
inline constexpr const char* always_natural = ", which is always solved in (q, v)";

/// The laws of a study, in quotes: for messages.
std::string quoted_laws(const ContactSpec& contact);

}  // namespace rigidlimit
