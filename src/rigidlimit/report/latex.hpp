// Plain text and tables as LaTeX.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// Characters of a text in LaTeX without a possible line break.
inline constexpr std::size_t default_longest_run = 32;

/// `plain` as running text of LaTeX. Numbers, symbols and relations become formulas: 1.751e-03 ±
/// 6e-14 is $1.751\times10^{-3} \pm 6\times10^{-14}$, and K ε^2 is $K\,\varepsilon^{2}$; kg m^2 is
/// kg\,m$^{2}$. Special characters are escaped. A character outside the default fonts becomes its
/// number, [U+4E2D]. A line break is possible after about `longest_run` characters without a blank
/// (a number is not broken), in shorter runs preferably after '_'. The result needs no package.
std::string latex_text(std::string_view plain, std::size_t longest_run = default_longest_run);

/// A number as siunitx reads it: 1.751e-3 for "1.751e-03". Empty if `plain` is not exactly one
/// number.
std::string siunitx_number(std::string_view plain);

/// "tab:knife_edge:orders" from the non-empty parts: the argument of \label and \ref.
std::string latex_label(std::string_view study, std::string_view table);

struct LatexStyle {
  std::string label = {};    ///< for \label, unchanged; empty: none
  std::string study = {};    ///< named in the caption; empty: not
  std::string place = "tp";  ///< of the float; "H" is here (package float)
  bool siunitx = false;      ///< numbers in S columns, error bars in one of their own
};

/// A float `table` with caption and label, in \small, \footnotesize or \scriptsize. The table is
/// compacted() first: columns of one text move to the caption. latex_extent() of its texts decides
/// whether it has place in a line of `article`:
///
///   * If it is too wide, headers are broken into lines, then long texts, in columns p{...} that
///     share the rest of the line.
///   * If that does not help, a table of at most three rows is transposed: a row for each column.
///   * Another table is split at TextTable::breaks into parts one below the other, which repeat
///     TextTable::keys. If a part is too wide, lines are shorter and words are broken.
///   * A table with more rows than a page goes on in further floats, "(continued)", under
///     one number.
std::string latex_table(const CaptionedTable& table, const LatexStyle& style = {});

/// The packages that `tex` from latex_table() needs: "\usepackage{array,booktabs}", plus
/// float and siunitx if it uses them.
std::string latex_packages(const std::string& tex);

}  // namespace rigidlimit
