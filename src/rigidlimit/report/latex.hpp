// Plain text as LaTeX: numbers and symbols become formulas, everything else stays text.
#pragma once

#include <string>
#include <string_view>

namespace rigidlimit {

/// A text for LaTeX, with its width.
struct LatexText {
  std::string tex;
  double width = 0.0;    ///< on one line, in points of article's 10 pt Computer Modern
  double longest = 0.0;  ///< widest part without a line break
};

/// `plain` as running text of LaTeX. 1.751e-03 ± 6e-14 becomes $1.751\times10^{-3} \pm
/// 6\times10^{-14}$; ε, λ, q, v, t > 0.5, K ε^2 and ‖G v‖ become formulas, m/s^2 gets its exponent,
/// cvode_bdf its underscore, and special characters are escaped. It needs no package and only the
/// default fonts; a character outside these is written as its number, [U+4E2D]. A single letter is
/// a symbol unless it is an English word or, within [ ], a unit.
///
/// The widths are sums of Computer Modern character widths and TeX's spaces, without kerning: at
/// least TeX's own width and at most a tenth more (tests/report/latex_test.cpp runs TeX).
LatexText latex_text(std::string_view plain);

/// "tab:knife_edge:orders" from the non-empty parts: the argument of \label and \ref.
std::string latex_label(std::string_view study, std::string_view table);

}  // namespace rigidlimit
