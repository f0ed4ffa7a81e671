// Parts of the readers of [system] and [initial], for every kind of study.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/systems/system_entry.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// The system that [system] names (one of `systems`) or defines. Throws InputError if it does not
/// support the kind of study, `SystemEntry::rolls` or `slips`.
std::shared_ptr<const SystemEntry> chosen_system(Section& section, const SystemCatalogue& systems,
                                                 bool (SystemEntry::*can)() const);

/// Reads the values of these parameters from [system], or takes their defaults.
std::vector<double> read_parameters(Section& section, const std::vector<ParameterInfo>& parameters);

/// The result of `make` for these values. An InputError about the values gets the place of
/// [system]; one with a place, about a formula, keeps it.
template <class Make>
auto made_of(const Section& system, const std::vector<double>& values, const Make& make) {
  try {
    return make(values);
  } catch (const InputError& error) {
    if (!error.where().empty()) throw;
    system.fail("", error.what());
  }
}

/// [system] with the values of its parameters, and its definition if it is written as formulas.
std::string system_text(const SystemEntry& entry, const std::vector<ParameterInfo>& parameters,
                        const std::vector<double>& values);

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

}  // namespace rigidlimit
