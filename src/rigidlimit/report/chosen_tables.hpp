// Selected tables of experiments, in any format.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

/// Selection of views by their key, and of rows by the values of a column; empty: all.
struct TableChoice {
  std::string table = {};  ///< "errors" has errors, errors-sup-all, …; or the name of a table
  std::string quantity = {};
  std::string norm = {};  ///< a norm is shown even if pages leave it out
  std::string window = {};
  std::string law = {};
  std::string solver = {};  ///< compliant solver

  bool anything() const { return !(table + quantity + norm + window + law + solver).empty(); }
};

/// Appearance of a table.
struct TableLayout {
  std::string caption = {};               ///< empty: that of the report
  std::string label = {};                 ///< for LaTeX; empty: tab:STUDY:TABLE
  bool siunitx = false;                   ///< numbers of LaTeX in S columns
  std::vector<std::string> columns = {};  ///< headers or names, besides the keys; empty: all shown
  std::string rows = {};                  ///< only rows with this text in a cell; empty: all

  bool anything() const {
    return !caption.empty() || !label.empty() || !columns.empty() || !rows.empty();
  }
};

/// The chosen tables of the reports, one after the other. On a terminal and in Markdown with
/// captions; in LaTeX as floats, after a comment with the packages and the study. In JSON one
/// object per report with the tables behind the views; in CSV the rows of one of them, of errors
/// without `choice.table`.
///
/// Throws InputError if no table, column or row matches; for a caption or label of several tables;
/// and for a layout that the format cannot show.
std::string formatted_tables(const std::vector<Result>& reports, Format format,
                             const TableChoice& choice, const TableLayout& layout,
                             const Screen& screen);

}  // namespace rigidlimit
