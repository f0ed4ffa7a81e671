// Plain words as LaTeX: numbers and symbols as mathematics, everything else as itself.
#pragma once

#include <string>
#include <string_view>

namespace rigidlimit {

/// A text for LaTeX, and how much of the line it takes.
struct LatexText {
  std::string tex;
  double width = 0.0;    ///< on one line, in points of article's 10 pt Computer Modern
  double longest = 0.0;  ///< the widest part within which TeX has no place to break the line
};

/// `plain` as running text of LaTeX: 1.751e-03 ± 6e-14 becomes $1.751\times10^{-3} \pm
/// 6\times10^{-14}$; ε, λ, q, v, t > 0.5, K ε^2 and ‖G v‖ become mathematics, m/s^2 has its
/// exponent, cvode_bdf its underscore, and what TeX would act on is escaped. Needs no package and
/// no font but the default ones; a character that they lack is written as its number, [U+4E2D]. A
/// letter alone is a symbol unless it is an English word or, within [ ], a unit.
///
/// The widths are sums over the widths of Computer Modern's characters and TeX's spaces, without
/// kerning: between TeX's own and a tenth more (tests/report/latex_test.cpp asks TeX).
LatexText latex_text(std::string_view plain);

/// "tab:knife_edge:orders" of parts that hold anything: what \label and \ref take.
std::string latex_label(std::string_view study, std::string_view table);

}  // namespace rigidlimit
