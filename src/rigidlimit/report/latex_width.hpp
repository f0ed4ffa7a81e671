// The width of texts in LaTeX, without LaTeX.
#pragma once

#include <string_view>

namespace rigidlimit {

/// In widths of a digit, which is half an em.
struct LatexExtent {
  double line = 0.0;  ///< of the text on one line
  double word = 0.0;  ///< of its widest part without a possible line break; formulas are not broken
  double piece = 0.0;  ///< the same if formulas are broken behind their signs
};

/// Upper bounds for `tex`, a result of latex_text(), in Computer Modern: for each character the
/// largest width in \small, \footnotesize and \scriptsize of `article`, without kerning.
LatexExtent latex_extent(std::string_view tex);

}  // namespace rigidlimit
