// The characters of LaTeX's default fonts: how to ask for each, and how wide it is.
#pragma once

#include <map>
#include <string_view>

namespace rigidlimit {

struct Glyph {
  const char* tex;
  double width;  ///< points, in the fonts of 10 pt
};

/// Of a character of text (cmr10).
double roman_width(char32_t c);

/// Of a letter in a formula (cmmi10), with the correction that TeX adds at its end.
double italic_width(char32_t c);

/// Greek, ∂, ∞, ‖, |, …: what is a symbol of a formula by itself.
const std::map<char32_t, Glyph>& latex_symbols();

/// Signs between two terms: what TeX spaces as a relation or as a binary operation; <= and -> too.
const std::map<std::u32string_view, Glyph>& latex_relations();

/// Both sides of a relation together, 5/18 em each; a binary operation has 4/18.
inline constexpr double relation_space = 5.56;

/// What text means by a character that TeX acts on or that the default fonts lack.
const std::map<char32_t, Glyph>& latex_marks();

/// 2 for ², - for ⁻, T for ᵀ; 0 for what is not raised.
char32_t lowered(char32_t c);

}  // namespace rigidlimit
