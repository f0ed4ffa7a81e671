// Values between two ends, each a constant factor from the next.
#pragma once

#include <vector>

#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// from (to/from)^(k/(count − 1)), k = 0, …, count − 1, of the keys from, to (both in `valid`,
/// which must not hold 0) and count ≥ 2 of a table. Both ends are exact.
std::vector<double> read_geometric_values(Section& section, const Range& valid);

/// InputError at `to` where to/from is 0 or ∞ to a double, and so no grid between them a number.
void require_ratio(Section& section, double from, double to);

}  // namespace rigidlimit
