// Reader of a list of numbers or a geometric grid.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// The list of the key, or its table {from, to} with count or per_decade: decreasing. Ends are
/// exact. The number of values is the whole number nearest to per_decade times the decades. Throws
/// InputError for a value outside `valid`, a repeated value, or a missing key.
std::vector<double> read_values(Section& section, const Key& declared, const Range& valid);

}  // namespace rigidlimit
