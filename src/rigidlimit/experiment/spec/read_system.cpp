#include "rigidlimit/experiment/spec/read_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/mechanics/system_of_author.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "rigidlimit/toml/shipped_studies.hpp"

namespace rigidlimit {

void fail_in(const Section& system, const Section& initial,
             const std::vector<ParameterInfo>& parameters, const std::vector<double>& values,
             const std::string& what) {
  const ParameterInfo* suspect = unusual_parameter(parameters, values);
  if (!suspect) initial.fail("", what);
  system.fail(suspect->name, fmt::format("{}; this parameter is far from its default, {}", what,
                                         suspect->default_value));
}

void require_ranges(Section& initial, const Section& system, const InitialState& start,
                    const SystemInfo& info, const std::vector<ParameterInfo>& parameters,
                    const std::vector<double>& values) {
  for (const auto& [key, components, x] : {std::tuple("q", &info.coordinates, &start.q),
                                           std::tuple("v", &info.velocities, &start.v)}) {
    const std::string fault = fault_in(*components, *x);
    if (fault.empty()) continue;
    if (initial.has(key)) initial.fail(key, fault);
    fail_in(system, initial, parameters, values, "the start is out of range: " + fault);
  }
}

namespace {

/// Why a system does not support the study, and which kind of study it supports.
std::string refusal_of(const SystemEntry& entry, bool (SystemEntry::*can)() const) {
  if ((entry.*can)()) return {};
  if (can == &SystemEntry::slips)
    return "defines neither normal forces nor friction: its contacts only roll; use a rolling "
           "study";
  return fmt::format(
      "cannot roll: {}; use a friction study",
      why_not_held(entry.make_frictional(entry.frictional_default_values()).contacts));
}

}  // namespace

std::shared_ptr<const SystemEntry> chosen_system(Section& section, const SystemCatalogue& systems,
                                                 bool (SystemEntry::*can)() const) {
  check_catalogue(systems);
  std::shared_ptr<const SystemEntry> entry;
  if (is_written(section)) {
    entry = written_system(section, systems);
  } else {
    const std::string name = section.has("name") ? section.text("name", std::nullopt) : "";
    // An entry of the catalogue, which outlives the study.
    entry = {std::shared_ptr<void>(), find_system(systems, name)};
    if (!entry && std::ranges::count(names_of(shipped_systems()), name) > 0)
      section.fail("name", fmt::format("'{0}' is a system in a file: write file = \"{0}\"", name));
    if (!entry) section.choice("name", names_of(systems, can), std::nullopt);  // throws
  }
  const std::string refusal = refusal_of(*entry, can);
  if (!refusal.empty()) section.fail(section.has("file") ? "file" : "name", refusal);
  return entry;
}

std::vector<double> read_parameters(Section& section,
                                    const std::vector<ParameterInfo>& parameters) {
  std::vector<double> values;
  for (const ParameterInfo& p : parameters)
    values.push_back(section.number(p.name, valid_range(p.range), p.default_value));
  return values;
}

std::string system_text(const SystemEntry& entry, const std::vector<ParameterInfo>& parameters,
                        const std::vector<double>& values) {
  std::string text = fmt::format("\n[system]\nname = {}\n", toml_text(entry.info.name));
  for (std::size_t i = 0; i < parameters.size(); ++i)
    text += fmt::format("{} = {}   # {}\n", parameters[i].name, toml_text(values[i]),
                        parameters[i].unit);
  return text + entry.definition;
}

}  // namespace rigidlimit
