// A table in booktabs style, no wider than its page.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// Width of the text of `article` at its default size, in points.
inline constexpr double article_width = 345.0;

struct LatexCaption {
  std::string text;    ///< plain text; latex_text() converts it
  std::string label;   ///< for \label, unchanged; empty: none
  bool floats = true;  ///< false: not a float, for a page that contains only tables
};

/// A float `table` (`longtable` if it is longer than a page) with caption and label. If a table
/// does not fit into `width` points, these steps are applied until it does:
///
///   1. left-aligned columns with equal texts in all rows become a line below;
///   2. \small with less space between the columns;
///   3. texts (left-aligned columns) broken into several lines;
///   4. the table split at TextTable::breaks into parts that repeat TextTable::keys.
///
/// The widths are the estimates of latex_text(), so that nothing is overfull at 10 pt.
std::string latex_table(const TextTable& table, const LatexCaption& caption,
                        double width = article_width);

/// The estimated widths of the parts that latex_table() makes from `table`, in points.
std::vector<double> latex_table_widths(const TextTable& table, double width = article_width);

/// The packages that `tex` from latex_table() needs: "\usepackage{booktabs}", plus array and
/// longtable if it uses them.
std::string latex_packages(const std::string& tex);

}  // namespace rigidlimit
