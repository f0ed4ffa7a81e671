// Readers of [history] and [[expect]] of a friction study.
#pragma once

#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// Reads [history]; requires all earlier tables.
void read_history(Section section, FrictionStudy& study);

/// Reads one [[expect]]; requires all earlier tables.
ExpectationSpec read_friction_expectation(Section section, const FrictionStudy& study);

/// Reads one [[expect]] with quantity = "modes".
ModesClaim read_modes_claim(Section section, const FrictionStudy& study);

}  // namespace rigidlimit
