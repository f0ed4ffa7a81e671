// TOML -> FrictionStudy.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/toml/section.hpp"

namespace rigidlimit {

/// Reads and checks a friction study; fills in every default. `overrides` are texts
/// "dotted.key=TOML value". Throws InputError with file, line and column (or the override's text),
/// the key, the value and the valid values. `systems` must outlive the study.
FrictionStudy read_friction_study(const std::string& path,
                                  const std::vector<std::string>& overrides = {},
                                  const SystemCatalogue& systems = builtin_systems());

/// The same for a parsed document.
FrictionStudy read_friction_study(const TomlDocument& document,
                                  const SystemCatalogue& systems = builtin_systems());

/// The study as a TOML file with every default filled in. Reading it gives the same study.
std::string resolved_toml(const FrictionStudy& study);

/// Reads [history]; requires all earlier tables.
void read_history(Section section, FrictionStudy& study);

/// Reads one [[expect]]; requires all earlier tables.
ExpectationSpec read_friction_expectation(Section section, const FrictionStudy& study);

/// Reads one [[expect]] with quantity = "modes".
ModesClaim read_modes_claim(Section section, const FrictionStudy& study);

}  // namespace rigidlimit
