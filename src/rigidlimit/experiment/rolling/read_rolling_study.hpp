// TOML -> RollingStudy.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

/// Reads and checks a study; fills in every default. `overrides` are texts "dotted.key=TOML value".
/// Throws InputError with file, line and column (or the override's text), the key, the value and
/// what would be valid. `systems`: what [system] may name; it must outlive the study. An initial
/// velocity with G v ≠ 0 is refused unless initial.project = true.
RollingStudy read_rolling_study(const std::string& path,
                                const std::vector<std::string>& overrides = {},
                                const SystemCatalogue& systems = builtin_systems());

/// The same from a parsed document.
RollingStudy read_rolling_study(const TomlDocument& document,
                                const SystemCatalogue& systems = builtin_systems());

/// The tables that a study shares with a map: all but [epsilon] and [[expect]].
RollingStudy read_setting(Section& root, const SystemCatalogue& systems);

/// [epsilon]: values, or from, to and count; decreasing.
std::vector<double> read_epsilons(Section section);

/// The samples on which the study's motions are compared are finite in time and fit into memory;
/// `time`: where to complain.
void require_grids(const Section& time, const RollingStudy& study);

/// The keys of a study that stand for the same thing.
const Alternatives& alternative_keys();

/// The study as a TOML file with every default filled in; reading it gives the same study.
std::string resolved_toml(const RollingStudy& study);

}  // namespace rigidlimit
