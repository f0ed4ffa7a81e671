// Geometric sequences between two ends.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/range.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// from (to/from)^(k/(count − 1)), k = 0, …, count − 1; both ends are exact. With `per_decade`, the
/// count follows from the ratio.
struct GeometricGrid {
  double from = 0.0, to = 0.0;
  long count = 0;
  std::optional<double> per_decade = {};

  std::vector<double> values() const;
};

/// The fault of a ratio to/from that is 0 or ∞ in double; empty: the ratio is valid.
std::string fault_in_ratio(const GeometricGrid& grid);

/// KEY = {from, to, count}, or with `has_density` per_decade in place of count. The ends are in
/// `valid`, which must not contain 0; `words`: these ranges for readers.
KeyTable<GeometricGrid> geometric_keys(const Range& valid, const char* words, bool has_density);

/// Reads such a table, which may have further keys. Throws InputError at `to` for a
/// fault_in_ratio().
std::vector<double> read_geometric_values(Section& section, const Range& valid,
                                          bool has_density = false);

}  // namespace rigidlimit
