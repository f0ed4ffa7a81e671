// Plain text as LaTeX.
#pragma once

#include <string>
#include <string_view>

namespace rigidlimit {

/// `plain` as running text of LaTeX. Numbers, symbols and relations become formulas: 1.751e-03 ±
/// 6e-14 is $1.751\times10^{-3} \pm 6\times10^{-14}$, and K ε^2 is $K\,\varepsilon^{2}$. Special
/// characters are escaped. A character outside the default fonts becomes its number, [U+4E2D]. Long
/// words may be broken. The result needs no package.
std::string latex_text(std::string_view plain);

/// A number as siunitx reads it: 1.751e-3 for "1.751e-03". Empty if `plain` is not exactly one
/// number.
std::string siunitx_number(std::string_view plain);

/// "tab:knife_edge:orders" from the non-empty parts: the argument of \label and \ref.
std::string latex_label(std::string_view study, std::string_view table);

}  // namespace rigidlimit
