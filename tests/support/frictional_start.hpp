// Systems of the catalogue with frictional contacts, with parameters by name.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit::test {

/// A system with its default start.
struct FrictionalCase {
  FrictionalSystem system;
  InitialState start;
};

/// The system `name` with these parameters and defaults for the others.
inline FrictionalCase frictional_case(const std::string& name,
                                      const std::map<std::string, double>& changed = {}) {
  const SystemEntry* entry = find_system(builtin_systems(), name);
  if (entry == nullptr) throw std::invalid_argument("no system " + name);
  const std::vector<ParameterInfo> parameters = entry->frictional_parameters();
  std::vector<double> values = entry->frictional_default_values();
  std::size_t found = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto at = changed.find(parameters[i].name); at != changed.end()) {
      values[i] = at->second;
      ++found;
    }
  if (found != changed.size()) throw std::invalid_argument(name + " lacks a parameter");
  return {entry->make_frictional(values), entry->frictional_start(values)};
}

/// `more`, and for a wheel also the values of docs/theory.md, section 10, that differ from the
/// defaults.
inline std::map<std::string, double> undragged(const std::string& name,
                                               std::map<std::string, double> more = {}) {
  if (name == "wheel" || name == "wheel_euler") more.insert({{"drag", 0.0}, {"radius", 0.1}});
  return more;
}

}  // namespace rigidlimit::test
