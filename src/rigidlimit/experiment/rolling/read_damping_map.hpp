// TOML -> DampingMap.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/damping_map.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

/// Reads and checks a damping map: a study without [[expect]], with a table [map] that contains
///
///   damping_ratio, damping_exponent   the grid (ζ, β), 1 for a missing one; or
///   stiffness, damping                the grid (c, d), N/m and N s/m, without [epsilon],
///
/// each a list of distinct numbers or a table {from, to, count} (geometric). [contact] must not
/// give the varied keys. Throws as read_rolling_study does.
DampingMap read_damping_map(const std::string& path, const std::vector<std::string>& overrides = {},
                            const SystemCatalogue& systems = builtin_systems());

/// The same for a parsed document.
DampingMap read_damping_map(const TomlDocument& document,
                            const SystemCatalogue& systems = builtin_systems());

/// The map as a TOML file with every default filled in. Reading it gives the same map.
std::string resolved_toml(const DampingMap& map);

}  // namespace rigidlimit
