// A text taken apart into words, numbers, symbols and the signs between them, for LaTeX.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigidlimit {

/// The smallest part of a text that is set in one way. A `loose` sign (=, +, /, -) is mathematics
/// between two symbols or numbers, and else the text that it looks like.
struct Piece {
  enum class Kind { word, blank, symbol, number, relation, loose } kind = Kind::word;
  std::string tex;
  double width = 0.0;
  bool scripted = false;  ///< has an exponent; TeX refuses a second one

  bool is_term() const { return kind == Kind::symbol || kind == Kind::number; }
  bool is_sign() const { return kind == Kind::relation || kind == Kind::loose; }
};

/// The pieces of a text that is printable() (core/printable.hpp): "q(0) = 1e-3 m" is a symbol, a
/// blank, a loose sign, a blank, a number, a blank and a word. A word of more than 24 letters comes
/// in parts.
std::vector<Piece> latex_pieces(std::string_view text);

/// Puts `next` behind `tex`, both of a formula; a name like \lambda needs a blank before a letter.
void append_maths(std::string& tex, std::string_view next);

}  // namespace rigidlimit
