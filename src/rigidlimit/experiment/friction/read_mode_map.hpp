// TOML -> ModeMap.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/experiment/friction/mode_map.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// Reads and checks a mode map; fills in every default. Throws InputError with file, line and
/// column (or the override's text), the key, the value and the valid values.
ModeMap read_mode_map(const std::string& path, const std::vector<std::string>& overrides = {});

/// The same for a parsed document.
ModeMap read_mode_map(const TomlDocument& document);

/// A parameter of the ball in [system]; all motions of a map share it.
bool is_shared(std::string_view parameter);

/// The map as a TOML file with every default filled in. Reading it gives the same map.
std::string resolved_toml(const ModeMap& map);

}  // namespace rigidlimit
