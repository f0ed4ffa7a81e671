#include "rigidlimit/systems/system_entry.hpp"

#include <algorithm>

namespace rigidlimit {

namespace {

std::vector<double> defaults_of(const std::vector<ParameterInfo>& parameters) {
  std::vector<double> values;
  for (const ParameterInfo& p : parameters) values.push_back(p.default_value);
  return values;
}

}  // namespace

std::vector<double> SystemEntry::default_values() const {
  return defaults_of(parameters);
}

std::vector<ParameterInfo> SystemEntry::frictional_parameters() const {
  std::vector<ParameterInfo> all = parameters;
  all.insert(all.end(), contact_parameters.begin(), contact_parameters.end());
  return all;
}

std::vector<double> SystemEntry::frictional_default_values() const {
  return defaults_of(frictional_parameters());
}

const SystemEntry* find_system(const SystemCatalogue& systems, std::string_view name) {
  const auto at = std::ranges::find_if(systems, [&](const auto& e) { return e.info.name == name; });
  return at == systems.end() ? nullptr : &*at;
}

std::vector<std::string> names_of(const SystemCatalogue& systems,
                                  bool (SystemEntry::*can)() const) {
  std::vector<std::string> names;
  for (const SystemEntry& e : systems)
    if (!can || (e.*can)()) names.push_back(e.info.name);
  return names;
}

}  // namespace rigidlimit
