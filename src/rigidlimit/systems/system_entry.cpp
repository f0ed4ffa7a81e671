#include "rigidlimit/systems/system_entry.hpp"

#include <algorithm>

namespace rigidlimit {

std::vector<double> SystemEntry::default_values() const {
  std::vector<double> values;
  for (const ParameterInfo& p : parameters) values.push_back(p.default_value);
  return values;
}

const SystemEntry* find_system(const SystemCatalogue& systems, std::string_view name) {
  const auto at = std::ranges::find_if(systems, [&](const auto& e) { return e.info.name == name; });
  return at == systems.end() ? nullptr : &*at;
}

std::vector<std::string> names_of(const SystemCatalogue& systems) {
  std::vector<std::string> names;
  for (const SystemEntry& e : systems) names.push_back(e.info.name);
  return names;
}

}  // namespace rigidlimit
