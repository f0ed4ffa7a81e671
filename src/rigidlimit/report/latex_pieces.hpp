// Splits a text into words, numbers, symbols and signs, for LaTeX.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigidlimit {

/// The smallest part of a text with one style. A `loose` sign (=, +, /, -) is part of a formula
/// between two symbols or numbers, and text elsewhere.
struct Piece {
  enum class Kind { word, blank, symbol, number, relation, loose } kind = Kind::word;
  std::string tex;
  double width = 0.0;
  bool scripted = false;  ///< has an exponent; TeX rejects a second one

  bool is_term() const { return kind == Kind::symbol || kind == Kind::number; }
  bool is_sign() const { return kind == Kind::relation || kind == Kind::loose; }
};

/// The pieces of a text that is printable() (core/printable.hpp): "q(0) = 1e-3 m" is a symbol, a
/// blank, a loose sign, a blank, a number, a blank and a word. A word of more than 24 letters is
/// split.
std::vector<Piece> latex_pieces(std::string_view text);

/// Appends `next` to the formula `tex`; a command like \lambda needs a blank before a letter.
void append_maths(std::string& tex, std::string_view next);

}  // namespace rigidlimit
