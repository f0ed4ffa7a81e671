// A table as booktabs set it, no wider than its page.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// Width of the text of `article` at its default size, in points.
inline constexpr double article_width = 345.0;

struct LatexCaption {
  std::string text;    ///< plain words; latex_text() makes LaTeX of them
  std::string label;   ///< of \label, as it stands; empty: none
  bool floats = true;  ///< false: stands where it is, for a page of nothing but tables
};

/// A float `table` (`longtable` where it is longer than a page) with caption and label. A table
/// that does not fit into `width` points is, as far as that is needed:
///
///   1. without the left-aligned columns that say the same in every row: a line below says it;
///   2. set in \small with less space between the columns;
///   3. with its texts (left-aligned columns) broken into several lines;
///   4. broken at TextTable::breaks into parts, one below the other, that repeat TextTable::keys.
///
/// The widths are those that latex_text() estimates, so that nothing is overfull at 10 pt.
std::string latex_table(const TextTable& table, const LatexCaption& caption,
                        double width = article_width);

/// The estimated widths of the parts that latex_table() lays `table` out in, in points.
std::vector<double> latex_table_widths(const TextTable& table, double width = article_width);

/// The packages that `tex`, of latex_table(), needs: "\usepackage{booktabs}", and array and
/// longtable where it has such columns or tables.
std::string latex_packages(const std::string& tex);

}  // namespace rigidlimit
