// Geometric sequences between two ends.
#pragma once

#include <vector>

#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// KEY = {from, to, count}: the keys of a table that gives values in these ranges, in words.
KeyTableInfo range_keys(const char* values);

/// from (to/from)^(k/(count − 1)), k = 0, …, count − 1, from the keys from, to (both in `valid`,
/// which must not contain 0) and count ≥ 2 of a table. Both ends are exact.
std::vector<double> read_geometric_values(Section& section, const Range& valid);

/// Throws InputError at `to` if to/from is 0 or ∞ in double: then there is no grid between them.
void require_ratio(Section& section, double from, double to);

}  // namespace rigidlimit
