// [system] and [initial] of a study file.
#pragma once

#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// "x [m]": what a list of initial values wants to know of each.
std::vector<std::string> names_with_units(const std::vector<Component>& components);

/// The system that [system] names, one of `systems`, or writes, if it can do what the study needs
/// of it, `SystemEntry::rolls` or `slips`; else says why not.
std::shared_ptr<const SystemEntry> chosen_system(Section& section, const SystemCatalogue& systems,
                                                 bool (SystemEntry::*can)() const);

/// The values of these parameters in [system], or their defaults.
std::vector<double> read_parameters(Section& section, const std::vector<ParameterInfo>& parameters);

/// Which system of `systems`, and its parameters: study.system, parameters and model.
void read_system(Section section, const SystemCatalogue& systems, RollingStudy& study);

/// A complaint about what a system computes, at [initial]; but where a parameter is far from what
/// is usual, it is the one to look at, and the complaint is at its key in [system]. `values` has
/// one for each of `parameters`.
[[noreturn]] void fail_in(const Section& system, const Section& initial,
                          const std::vector<ParameterInfo>& parameters,
                          const std::vector<double>& values, const std::string& what);

/// The values of a start must make sense before anything is computed with them. Where the file
/// gives none, the system's own start follows from its parameters, and they are to blame.
void require_ranges(Section& initial, const Section& system, const InitialState& start,
                    const SystemInfo& info, const std::vector<ParameterInfo>& parameters,
                    const std::vector<double>& values);

/// Where it starts: study.initial, project and contacts. Refuses a sliding start unless the study
/// accepts it, and a system with a mistake in its functions (mechanics/system_check.hpp), or with
/// parameters that it cannot be computed with: `system` is where to complain about those.
void read_initial(Section section, const Section& system, RollingStudy& study);

}  // namespace rigidlimit
