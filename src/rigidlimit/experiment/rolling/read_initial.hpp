// Readers of [system] and [initial] of rolling studies.
#pragma once

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// Reads the system, one of `systems`, and its parameters: study.system, parameters and model.
void read_system(Section section, const SystemCatalogue& systems, RollingStudy& study);

/// Reads the start: study.initial, project and contacts. Throws InputError for a sliding start,
/// unless the study accepts it, and for a system with a mistake in its functions
/// (mechanics/system_check.hpp) or with unusable parameters; `system` is the place of the latter.
void read_initial(Section section, const Section& system, RollingStudy& study);

}  // namespace rigidlimit
