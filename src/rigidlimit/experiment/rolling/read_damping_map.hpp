// TOML -> DampingMap.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/damping_map.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

/// Reads and checks a map: a study without [[expect]], with a table [map] that holds either
///
///   damping_ratio, damping_exponent   the grid (ζ, β); one may be missing and is then 1; or
///   stiffness, damping                the grid (c, d), N/m and N s/m; then there is no [epsilon],
///
/// each a list of distinct numbers or a table {from, to, count} (geometric). What the grid varies
/// must not be given in [contact] as well. Throws as read_rolling_study does.
DampingMap read_damping_map(const std::string& path, const std::vector<std::string>& overrides = {},
                            const SystemCatalogue& systems = builtin_systems());

/// The same from a parsed document.
DampingMap read_damping_map(const TomlDocument& document,
                            const SystemCatalogue& systems = builtin_systems());

/// The map as a TOML file with every default filled in; reading it gives the same map.
std::string resolved_toml(const DampingMap& map);

}  // namespace rigidlimit
