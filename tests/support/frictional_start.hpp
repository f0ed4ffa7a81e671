// Systems of the frictional catalogue with parameters by name.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include "rigidlimit/systems/frictional_entry.hpp"

namespace rigidlimit::test {

/// A system with its default start.
struct FrictionalCase {
  FrictionalSystem system;
  InitialState start;
};

/// The system `name` with these parameters, the others at their defaults.
inline FrictionalCase frictional_case(const std::string& name,
                                      const std::map<std::string, double>& changed = {}) {
  const FrictionalEntry* entry = find_system(builtin_frictional_systems(), name);
  if (entry == nullptr) throw std::invalid_argument("no system " + name);
  std::vector<double> values = entry->default_values();
  std::size_t found = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto at = changed.find(std::string(entry->parameters[i].name)); at != changed.end()) {
      values[i] = at->second;
      ++found;
    }
  if (found != changed.size()) throw std::invalid_argument(name + " lacks a parameter");
  return {entry->make(values), entry->start(values)};
}

}  // namespace rigidlimit::test
