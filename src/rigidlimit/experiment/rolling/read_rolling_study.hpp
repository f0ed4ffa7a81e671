// TOML -> RollingStudy.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/toml/section.hpp"

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

/// Reads the system, one of `systems`, and its parameters: study.system, parameters and model.
void read_system(Section section, const SystemCatalogue& systems, RollingStudy& study);

/// Reads the start: study.initial, project and contacts. Throws InputError for a sliding start,
/// unless the study accepts it, and for a system with a mistake in its functions
/// (mechanics/system_check.hpp) or with unusable parameters; `system` is the place of the latter.
void read_initial(Section section, const Section& system, RollingStudy& study);

/// Lifts the study: its system, start and contact become those of the tangent lift along the
/// direction in [tangent], and study.tangent keeps what the file states. To be called after
/// read_contact(). The damping of a ratio is that of the system: it is a constant of the
/// derivative.
void read_tangent(Section section, RollingStudy& study);

}  // namespace rigidlimit
