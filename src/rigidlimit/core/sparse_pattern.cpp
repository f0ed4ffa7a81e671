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

}  // namespace rigidlimit
