// The characters of LaTeX's default fonts: commands and widths.
#pragma once

#include <map>
#include <string_view>

namespace rigidlimit {

struct Glyph {
  const char* tex;
  double width;  ///< points, in the fonts of 10 pt
};

/// A character of text (cmr10).
double roman_width(char32_t c);

/// A letter in a formula (cmmi10), with its italic correction.
double italic_width(char32_t c);

/// Greek, ∂, ∞, ‖, |, …: characters that are symbols of a formula by themselves.
const std::map<char32_t, Glyph>& latex_symbols();

/// Signs between two terms, which TeX spaces as relations or binary operations; also <= and ->.
const std::map<std::u32string_view, Glyph>& latex_relations();

/// Space on both sides of a relation together, 5/18 em each; of a binary operation 4/18 em.
inline constexpr double relation_space = 5.56;

/// Text for a special character of TeX or one missing in the default fonts.
const std::map<char32_t, Glyph>& latex_marks();

/// 2 for ², - for ⁻, T for ᵀ; 0 for a character that is no superscript.
char32_t lowered(char32_t c);

}  // namespace rigidlimit
