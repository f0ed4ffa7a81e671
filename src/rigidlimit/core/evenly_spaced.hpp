// A few positions among many, for figures and tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rigidlimit {

/// At most `most` ≥ 1 positions in [0, count), increasing and evenly spaced, with the first and, if
/// most > 1, the last.
inline std::vector<std::size_t> evenly_spaced(std::size_t count, std::size_t most) {
  const std::size_t size = std::min(count, most);
  std::vector<std::size_t> positions;
  for (std::size_t k = 0; k < size; ++k)
    positions.push_back(size == 1 ? 0 : k * (count - 1) / (size - 1));
  return positions;
}

}  // namespace rigidlimit
