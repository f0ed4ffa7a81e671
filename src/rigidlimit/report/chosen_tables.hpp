// Some of a study's tables, in any format.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/report/latex_table.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/report/rolling_report_tables.hpp"

namespace rigidlimit {

/// What a table is to look like.
struct TableLayout {
  std::string caption = {};      ///< empty: the report's own
  std::string label = {};        ///< of LaTeX; empty: tab:STUDY:TABLE
  double width = article_width;  ///< of LaTeX's text, points

  bool anything() const { return !caption.empty() || !label.empty() || width != article_width; }
};

/// The tables of `results` that fit the choice, one below the other: with their captions on a
/// terminal and in Markdown; as floats in LaTeX, after a comment that names the packages and the
/// study; in JSON an object a study with the parts that the tables are made of (rows, series,
/// bounds, energy, rigid); in CSV the rows.
///
/// Throws InputError where no table fits; where a caption or label is given for several; where it
/// means nothing to the format; and for a table that CSV, which holds rows of errors, does not
/// hold.
std::string formatted_tables(const std::vector<RollingResult>& results, Format format,
                             const TableChoice& choice, const TableLayout& layout, bool colour);

}  // namespace rigidlimit
