// A table in booktabs style, laid out by LaTeX.
#pragma once

#include <string>

#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

struct LatexStyle {
  std::string caption;       ///< plain text; latex_text() converts it
  std::string label;         ///< for \label, unchanged; empty: none
  std::string place = "tp";  ///< of the float; "H" is here (package float)
  bool siunitx = false;      ///< numbers in S columns
};

/// A float `table` with caption and label, in \small, \footnotesize or \scriptsize. Columns that
/// are empty in all rows are left out, and long texts are broken into lines. Two rules count
/// characters and rows:
///
///   * A table wider than a line of `article` in \scriptsize is split at TextTable::breaks into
///   parts
///     one below the other, which repeat TextTable::keys.
///   * A table with more rows than a page goes on in further floats, "(continued)", under one
///   number.
std::string latex_table(const TextTable& table, const LatexStyle& style);

/// The packages that `tex` from latex_table() needs: "\usepackage{array,booktabs}", plus
/// float and siunitx if it uses them.
std::string latex_packages(const std::string& tex);

}  // namespace rigidlimit
