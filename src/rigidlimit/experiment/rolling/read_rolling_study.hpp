// TOML -> RollingStudy.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

/// Reads and checks a study; fills in every default. `overrides` are texts "dotted.key=TOML value".
/// Throws InputError with file, line and column (or the override's text), the key, the value and
/// the valid values. `systems`: the systems that [system] may name; it must outlive the study. An
/// initial velocity with G v ≠ 0 is an error unless initial.project = true.
RollingStudy read_rolling_study(const std::string& path,
                                const std::vector<std::string>& overrides = {},
                                const SystemCatalogue& systems = builtin_systems());

/// The same for a parsed document.
RollingStudy read_rolling_study(const TomlDocument& document,
                                const SystemCatalogue& systems = builtin_systems());

/// The study as a TOML file with every default filled in. Reading it gives the same study.
std::string resolved_toml(const RollingStudy& study);

}  // namespace rigidlimit
