// Readers of [system] and [initial].
#pragma once

#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// The system that [system] names (one of `systems`) or defines. Throws InputError if it does not
/// support the kind of study, `SystemEntry::rolls` or `slips`.
std::shared_ptr<const SystemEntry> chosen_system(Section& section, const SystemCatalogue& systems,
                                                 bool (SystemEntry::*can)() const);

/// Reads the values of these parameters from [system], or takes their defaults.
std::vector<double> read_parameters(Section& section, const std::vector<ParameterInfo>& parameters);

/// Reads the system, one of `systems`, and its parameters: study.system, parameters and model.
void read_system(Section section, const SystemCatalogue& systems, RollingStudy& study);

/// Throws InputError for a wrong value computed by a system. The place is that of [initial]; if a
/// parameter is far from usual values, it is the place of that parameter in [system]. `values` has
/// one value for each of `parameters`.
[[noreturn]] void fail_in(const Section& system, const Section& initial,
                          const std::vector<ParameterInfo>& parameters,
                          const std::vector<double>& values, const std::string& what);

/// Checks the values of a start before anything is computed with them. A wrong default start
/// follows from the parameters: the message then names these.
void require_ranges(Section& initial, const Section& system, const InitialState& start,
                    const SystemInfo& info, const std::vector<ParameterInfo>& parameters,
                    const std::vector<double>& values);

/// Reads the start: study.initial, project and contacts. Throws InputError for a sliding start,
/// unless the study accepts it, and for a system with a mistake in its functions
/// (mechanics/system_check.hpp) or with unusable parameters; `system` is the place of the latter.
void read_initial(Section section, const Section& system, RollingStudy& study);

}  // namespace rigidlimit
