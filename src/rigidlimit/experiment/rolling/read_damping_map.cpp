#include "rigidlimit/experiment/rolling/read_damping_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/spec/geometric_values.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

namespace {

/// A list, or {from, to, count}; increasing.
std::vector<double> read_grid(Section& section, const std::string& key, const Range& valid) {
  std::vector<double> values;
  if (section.has_table(key)) {
    Section table = section.section(key);
    // A geometric grid cannot reach 0.
    values = read_geometric_values(
        table, {.low = valid.low, .high = valid.high, .low_open = valid.low == 0.0});
    table.finish();
  } else {
    values = section.numbers(key, valid);
  }
  std::ranges::sort(values);
  if (std::ranges::adjacent_find(values) != values.end()) section.fail(key, "a value occurs twice");
  return values;
}

MapGrid read_map_grid(Section section) {
  MapGrid grid;
  for (const char* key : {"damping_ratio", "damping_exponent", "stiffness", "damping"})
    section.has(key);
  section.finish();
  const bool orders = section.has("damping_ratio") || section.has("damping_exponent");
  const bool plane = section.has("stiffness") || section.has("damping");
  if (orders && plane)
    section.fail(
        section.has("stiffness") ? "stiffness" : "damping",
        "a damping map varies either damping_ratio and damping_exponent, or stiffness and damping");
  if (!orders && !plane)
    section.fail("",
                 "has no grid; give damping_ratio and damping_exponent, or stiffness and damping");
  if (plane) {
    grid.kind = MapGrid::Kind::plane;
    // ε = sqrt(1/c) must stay in the range of [epsilon].
    grid.stiffness = read_grid(section, "stiffness", {.low = 1e-12, .high = 1e100});
    grid.damping = read_grid(section, "damping", {.low = 0.0, .high = 1e100});
    return grid;
  }
  grid.ratios = {1.0};
  grid.exponents = {1.0};
  if (section.has("damping_ratio"))
    grid.ratios = read_grid(section, "damping_ratio", magnitude_or_zero);
  if (section.has("damping_exponent"))
    grid.exponents = read_grid(section, "damping_exponent", {.low = 0.0, .high = 4.0});
  return grid;
}

/// Rejects keys that the grid of the map replaces.
void refuse_in_contact(Section contact, const MapGrid& grid) {
  for (const char* key : {"damping", "damping_ratio", "damping_exponent"})
    if (contact.has(key)) contact.fail(key, "is varied by [map]; remove it from [contact]");
  if (grid.kind == MapGrid::Kind::orders) return;
  if (contact.has("stiffness"))
    contact.fail("stiffness", "is varied by [map]; remove it from [contact]");
  if (contact.has("deflection"))
    contact.fail("deflection",
                 "is not defined for physical stiffness and damping; use preparation = "
                 "\"unloaded\" or \"prepared\"");
}

void refuse_two_solvers(const Section& solvers, const SolverSpec& spec) {
  if (spec.rigid.size() > 1) solvers.fail("rigid", "a damping map takes a single rigid solver");
  if (spec.compliant.size() > 1)
    solvers.fail("compliant", "a damping map takes a single compliant solver");
}

void require_size(Section& root, const DampingMap& map) {
  require_grids(root.section("time"), map.study);
  constexpr double most = 1e6;  // a tenth of a second per solve makes days
  const auto count = [](const std::vector<double>& values) {
    return static_cast<double>(std::max<std::size_t>(1, values.size()));
  };
  const MapGrid& grid = map.grid;
  const double solves =
      count(grid.ratios) * count(grid.exponents) * count(grid.damping) * count(map.study.epsilons);
  if (solves > most)
    root.fail("map",
              fmt::format("has {:.3g} compliant motions; the limit is {:.0e}", solves, most));
}

}  // namespace

DampingMap read_damping_map(const TomlDocument& document, const SystemCatalogue& systems) {
  Section root = document.root();
  for (const char* table :
       {"study", "system", "initial", "contact", "epsilon", "time", "solvers", "map"})
    root.has(table);
  root.finish();
  DampingMap map;
  if (!root.has("map")) root.missing("map", "a damping map needs a table [map] with the grid");
  map.grid = read_map_grid(root.section("map"));
  refuse_in_contact(root.section("contact"), map.grid);
  map.study = read_setting(root, systems);
  if (map.study.contact.laws != ContactSpec{}.laws)
    root.section("contact").fail("law", "a damping map needs the viscoelastic law");
  refuse_two_solvers(root.section("solvers"), map.study.solvers);
  if (map.grid.kind == MapGrid::Kind::orders) {
    map.study.epsilons = read_epsilons(root.section("epsilon"));
    require_size(root, map);
    return map;
  }
  if (root.has("epsilon"))
    root.fail("epsilon",
              "a damping map over stiffness and damping has no epsilon; remove the table");
  for (const double c : map.grid.stiffness) map.study.epsilons.push_back(std::sqrt(1.0 / c));
  require_size(root, map);
  return map;
}

DampingMap read_damping_map(const std::string& path, const std::vector<std::string>& overrides,
                            const SystemCatalogue& systems) {
  return read_damping_map(TomlDocument::from_file(path, overrides, alternative_keys()), systems);
}

}  // namespace rigidlimit
