// Readers of the tables of a friction study, one for each.
#pragma once

#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// Reads [contact]; requires study.model.
void read_friction_contact(Section section, FrictionStudy& study);

/// Reads [history]; requires study.model.
/// [[expect]] with quantity = "modes".
ModesClaim read_modes_claim(Section section, const FrictionStudy& study);

void read_history(Section section, FrictionStudy& study);

/// Reads one [[expect]]; requires all earlier tables.
ExpectationSpec read_friction_expectation(Section section, const FrictionStudy& study);

/// The names of the kinds of events.
const std::vector<std::string>& event_words();

}  // namespace rigidlimit
