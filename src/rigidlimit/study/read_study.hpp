// TOML -> Study.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/study/study.hpp"
#include "rigidlimit/study/toml_section.hpp"

namespace rigidlimit {

/// Reads and checks a study; fills in every default. `overrides` are texts "dotted.key=TOML value".
/// Throws InputError with file, line and column (or the override's text), the key, the value and
/// what would be valid. An initial velocity with G v ≠ 0 is refused unless initial.project = true.
Study read_study(const std::string& path, const std::vector<std::string>& overrides = {});

/// The same from a parsed document.
Study read_study(const TomlDocument& document);

/// The tables that a study shares with a map: all but [epsilon] and [[expect]].
Study read_setting(Section& root);

/// [epsilon]: values, or from, to and count; decreasing.
std::vector<double> read_epsilons(Section section);

/// The keys of a study that stand for the same thing.
const Alternatives& alternative_keys();

/// The study as a TOML file with every default filled in; reading it gives the same study.
std::string resolved_toml(const Study& study);

}  // namespace rigidlimit
