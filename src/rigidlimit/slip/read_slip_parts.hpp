// The tables of a study of friction and impacts, one reader each.
#pragma once

#include "rigidlimit/slip/slip_study.hpp"
#include "rigidlimit/study/toml_section.hpp"

namespace rigidlimit {

/// [contact]: needs study.model.
void read_slip_contact(Section section, SlipStudy& study);

/// [history]: needs study.model.
void read_history(Section section, SlipStudy& study);

/// One [[expect]]: needs all tables before it.
ExpectationSpec read_slip_expectation(Section section, const SlipStudy& study);

/// The kinds of events by their words.
const std::vector<std::string>& event_words();

}  // namespace rigidlimit
