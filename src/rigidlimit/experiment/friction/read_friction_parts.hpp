// The tables of a study of friction and impacts, one reader each.
#pragma once

#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// [contact]: needs study.model.
void read_friction_contact(Section section, FrictionStudy& study);

/// [history]: needs study.model.
void read_history(Section section, FrictionStudy& study);

/// One [[expect]]: needs all tables before it.
ExpectationSpec read_friction_expectation(Section section, const FrictionStudy& study);

/// The kinds of events by their words.
const std::vector<std::string>& event_words();

}  // namespace rigidlimit
