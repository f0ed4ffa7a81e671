// A list of numbers, or a geometric grid of them.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// The key's list, or table {from, to} with count or per_decade: decreasing. Ends are
/// exact; per_decade asks for so many values in a factor of ten, the nearest whole number over the
/// range. Throws InputError for a value outside `valid` or given twice, or a missing key.
std::vector<double> read_values(Section& section, const std::string& key, const Range& valid);

}  // namespace rigidlimit
