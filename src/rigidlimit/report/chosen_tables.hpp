// Selected tables of experiments, in any format.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/report/report.hpp"
#include "rigidlimit/report/rolling_tables.hpp"

namespace rigidlimit {

/// Appearance of a table.
struct TableLayout {
  std::string caption = {};               ///< empty: that of the report
  std::string label = {};                 ///< for LaTeX; empty: tab:STUDY:TABLE
  bool siunitx = false;                   ///< numbers of LaTeX in S columns
  std::vector<std::string> columns = {};  ///< headers, besides the key columns; empty: all
  std::string rows = {};                  ///< only rows with this text in a cell; empty: all

  bool anything() const {
    return !caption.empty() || !label.empty() || !columns.empty() || !rows.empty();
  }
};

/// The tables of `results` that match the choice, and the tables of `others` (reports of any kind)
/// with the key `choice.table` or all of them, one after the other. On a terminal and in Markdown
/// with captions; in LaTeX as floats, after a comment with the packages and the study. In JSON and
/// CSV only for `results`: one object per study with the parts of the tables (errors, series,
/// bounds, energy, rigid), or the rows of errors.
///
/// Throws InputError if no table, column or row matches; for a caption or label of several tables;
/// and for a layout or a table that the format cannot show.
std::string formatted_tables(const std::vector<RollingResult>& results, Format format,
                             const TableChoice& choice, const TableLayout& layout, bool colour,
                             const std::vector<Report>& others = {});

}  // namespace rigidlimit
