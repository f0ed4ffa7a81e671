// A system with friction as a catalogue knows it, beside systems/system_entry.hpp.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// Made by frictional_entry_of<Sys>() (systems/frictional_entry_of.hpp). The contacts of `info` are
/// the m sliding velocities; the names of the contact points are in FrictionalSystem::contacts.
struct FrictionalEntry {
  SystemInfo info;
  std::vector<ParameterInfo> parameters;
  bool has_closed_history = false;

  /// The system with these parameter values, one for each of `parameters`.
  std::function<FrictionalSystem(const std::vector<double>& values)> make;
  /// Where it starts by default, with these parameter values.
  std::function<InitialState(const std::vector<double>& values)> start;

  std::vector<double> default_values() const;
};

using FrictionalCatalogue = std::vector<FrictionalEntry>;

const FrictionalCatalogue& builtin_frictional_systems();

/// nullptr if there is none of this name.
const FrictionalEntry* find_system(const FrictionalCatalogue& systems, std::string_view name);

}  // namespace rigidlimit
