// The comparison of two tables with the same columns, made by different programs or on different
// machines.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "rigidlimit/core/table.hpp"

namespace rigidlimit {

/// The largest difference of a column.
struct WorstCell {
  std::string row;  ///< the keys of its row
  std::string then, now;
  double relative = std::nan("");  ///< |now − then| / |then|; NaN unless both are numbers
  double bars = std::nan("");      ///< |now − then| / error bar; NaN without an error bar
};

/// One column of a table in both results.
struct ColumnDifference {
  std::string table, column;
  bool numbers = false;   ///< otherwise texts and booleans
  bool has_bars = false;  ///< its numbers have an error bar
  int cells = 0;          ///< in rows that both results have
  int differing = 0;
  /// Numbers of evidence that differ by more than `most_bars` of their error bars.
  int beyond = 0;
  WorstCell worst = {};  ///< by bars, else by relative difference
};

struct TableDifference {
  std::vector<ColumnDifference> columns;    ///< values, in the order of the second table
  std::vector<std::string> missing, extra;  ///< rows of the first and of the second table alone
};

/// An error bar is an estimate: two results may differ by three of them.
inline constexpr double most_bars = 3.0;

/// Rows are matched by their keys (Role::key) in any order; rows with equal keys are numbered.
/// Notes are not compared. The bar of a number is the sum of the columns in Column::bars, the
/// larger one of both rows. A row counts as evidence unless `is_evidence` denies it for one of the
/// two rows.
TableDifference difference_of(
    const Table& then, const Table& now,
    const std::function<bool(const Table& table, std::size_t row)>& is_evidence);

}  // namespace rigidlimit
