#include "rigidlimit/core/sparse_pattern.hpp"

#include <algorithm>

namespace rigidlimit {

SparsePattern pattern_with_diagonal(std::vector<std::vector<Index>> rows_of_column) {
  SparsePattern pattern;
  pattern.size = static_cast<Index>(rows_of_column.size());
  pattern.starts.push_back(0);
  Index diagonal = 0;
  for (std::vector<Index>& rows : rows_of_column) {
    rows.push_back(diagonal++);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    pattern.rows.insert(pattern.rows.end(), rows.begin(), rows.end());
    pattern.starts.push_back(pattern.nonzeros());
  }
  return pattern;
}

std::vector<int> column_colours(const SparsePattern& pattern) {
  std::vector<std::vector<int>> seen(static_cast<std::size_t>(pattern.size));  // in each row
  std::vector<int> colours;
  std::vector<char> taken;
  for (Index column = 0; column < pattern.size; ++column) {
    std::fill(taken.begin(), taken.end(), 0);
    for (Index k = pattern.start(column); k < pattern.start(column + 1); ++k)
      for (const int colour : seen[static_cast<std::size_t>(pattern.row(k))])
        taken[static_cast<std::size_t>(colour)] = 1;
    const auto free = std::find(taken.begin(), taken.end(), 0);
    const int colour = static_cast<int>(free - taken.begin());
    if (free == taken.end()) taken.push_back(0);
    for (Index k = pattern.start(column); k < pattern.start(column + 1); ++k)
      seen[static_cast<std::size_t>(pattern.row(k))].push_back(colour);
    colours.push_back(colour);
  }
  return colours;
}

}  // namespace rigidlimit
