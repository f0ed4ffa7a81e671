// [system] and [initial] of a study file.
#pragma once

#include "rigidlimit/study/study.hpp"
#include "rigidlimit/study/toml_section.hpp"

namespace rigidlimit {

/// "x [m]": what a list of initial values wants to know of each.
std::vector<std::string> names_with_units(const std::vector<Component>& components);

/// Which system of `systems`, and its parameters: study.system, parameters and model.
void read_system(Section section, const SystemCatalogue& systems, Study& study);

/// Where it starts: study.initial, project and contacts. Refuses a sliding start unless the study
/// accepts it, and a system with a mistake in its functions (mechanics/system_check.hpp).
void read_initial(Section section, Study& study);

}  // namespace rigidlimit
