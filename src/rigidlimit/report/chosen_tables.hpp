// Selected tables of a study, in any format.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/report/report.hpp"
#include "rigidlimit/report/rolling_report_tables.hpp"

namespace rigidlimit {

/// Appearance of a table.
struct TableLayout {
  std::string caption = {};  ///< empty: that of the report
  std::string label = {};    ///< for LaTeX; empty: tab:STUDY:TABLE
  bool siunitx = false;      ///< numbers of LaTeX in S columns

  bool anything() const { return !caption.empty() || !label.empty(); }
};

/// The tables of `results` that match the choice, one after the other. On a terminal and in
/// Markdown with captions; in LaTeX as floats, after a comment with the packages and the study; in
/// JSON one object per study with the parts of the tables (rows, series, bounds, energy, rigid); in
/// CSV the rows.
///
/// Throws InputError if no table matches; for a caption or label of several tables or in a format
/// without captions; and for a table other than rows of errors in CSV.
std::string formatted_tables(const std::vector<RollingResult>& results, Format format,
                             const TableChoice& choice, const TableLayout& layout, bool colour);

}  // namespace rigidlimit
