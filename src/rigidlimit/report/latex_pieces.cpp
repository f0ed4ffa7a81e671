#include "rigidlimit/report/latex_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "rigidlimit/report/latex_glyphs.hpp"

namespace rigidlimit {

void append_maths(std::string& tex, std::string_view next) {
  const std::size_t name =
      tex.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  const bool in_name = name != std::string::npos && tex[name] == '\\' && name + 1 < tex.size();
  if (in_name && !next.empty() && std::isalpha(static_cast<unsigned char>(next.front())) != 0)
    tex += ' ';
  tex += next;
}

namespace {

bool is_digit(char32_t c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
/// Accented letters that OT1 can compose; it has no eth and no thorn.
bool is_accented(char32_t c) {
  return c >= U'À' && c <= U'ÿ' && c != U'×' && c != U'÷' && c != U'Ð' && c != U'ð' && c != U'Þ' &&
         c != U'þ';
}
bool is_word(char32_t c) {
  return is_letter(c) || is_digit(c) || c == '_' || is_accented(c);
}

std::string utf8(char32_t c) {
  if (c < 0x80) return {static_cast<char>(c)};
  return {static_cast<char>(0xc0U | (c >> 6U)), static_cast<char>(0x80U | (c & 0x3fU))};
}

/// The characters of valid UTF-8.
std::u32string characters(std::string_view text) {
  std::u32string all;
  for (const char byte : text) {
    const auto bits = static_cast<unsigned char>(byte);
    if ((bits & 0xc0U) == 0x80U)
      all.back() = (all.back() << 6U) | (bits & 0x3fU);
    else
      all += bits < 0x80U ? bits : bits & (bits >= 0xf0U ? 0x07U : bits >= 0xe0U ? 0x0fU : 0x1fU);
  }
  return all;
}

/// Splits a text. Each member that may fail either consumes its characters and appends a piece, or
/// changes nothing and returns false.
class Scanner {
 public:
  explicit Scanner(std::u32string text) : text_(std::move(text)) {}

  std::vector<Piece> pieces() {
    while (at_ < text_.size()) {
      if (peek() == '[') ++brackets_;
      if (peek() == ']') --brackets_;
      if (blank() || script() || star() || number() || word() || symbol() || sign()) continue;
      mark();
    }
    return std::move(pieces_);
  }

 private:
  char32_t peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : U'\0';
  }
  char32_t before() const { return at_ == 0 ? U'\0' : text_[at_ - 1]; }
  /// The piece immediately before the current position, or nullptr.
  Piece* touching() {
    return pieces_.empty() || pieces_.back().kind == Piece::Kind::blank ? nullptr : &pieces_.back();
  }
  void add(Piece::Kind kind, std::string tex, double width) {
    pieces_.push_back({kind, std::move(tex), width});
  }

  bool blank();
  bool script();
  bool star();
  bool number();
  bool word();
  bool symbol();
  bool sign();
  void mark();

  bool is_symbol_alone() const;
  void raise(const std::u32string& exponent);
  std::optional<std::u32string> exponent_after_caret() const;
  void argument();

  std::u32string text_;
  std::size_t at_ = 0;
  int brackets_ = 0;
  std::vector<Piece> pieces_;
};

bool Scanner::blank() {
  if (peek() != ' ') return false;
  const bool ends_clause = std::u32string_view(U".?!:").find(before()) != std::u32string_view::npos;
  while (peek() == ' ') ++at_;
  // TeX adds a third of an en after a clause.
  add(Piece::Kind::blank, " ", roman_width(' ') + (ends_clause ? 1.12 : 0.0));
  return true;
}

/// The formula for digits, signs, letters and Greek; empty if the text contains anything else.
std::optional<Glyph> formula_glyph(char32_t c, std::string& tex) {
  const auto symbol = latex_symbols().find(c);
  if (symbol != latex_symbols().end()) return symbol->second;
  if (is_letter(c)) return tex = utf8(c), Glyph{tex.c_str(), italic_width(c)};
  if (is_digit(c) || c == '.' || c == ',') return tex = utf8(c), Glyph{tex.c_str(), roman_width(c)};
  if (c == '-' || c == U'−') return Glyph{"-", 7.78};
  if (c == '+' || c == '/' || c == '=') return tex = utf8(c), Glyph{tex.c_str(), 7.78};
  return std::nullopt;
}

struct Formula {
  std::string tex;
  double width = 0.0;
};

std::optional<Formula> formula_of(const std::u32string& characters) {
  Formula formula;
  for (const char32_t c : characters) {
    std::string of_its_own;
    const std::optional<Glyph> glyph = formula_glyph(c, of_its_own);
    if (!glyph) return std::nullopt;
    append_maths(formula.tex, glyph->tex);
    formula.width += glyph->width;
  }
  return formula;
}

/// 2, -0.5, p, -β or (−β) after a caret.
std::optional<std::u32string> Scanner::exponent_after_caret() const {
  std::size_t to = at_ + 1;
  const auto there = [&] { return to < text_.size() ? text_[to] : U'\0'; };
  if (there() == '(') {
    const std::size_t end = text_.find(U')', to);
    if (end == text_.npos || end > to + 12 || end == to + 1) return std::nullopt;
    return text_.substr(at_ + 1, end - at_);
  }
  if (there() == '-' || there() == '+' || there() == U'−') ++to;
  const std::size_t first = to;
  while (is_digit(there()) ||
         (there() == '.' && to > first && to + 1 < text_.size() && is_digit(text_[to + 1])))
    ++to;
  if (to == first && (is_letter(there()) || latex_symbols().contains(there()))) ++to;
  return to == first ? std::nullopt : std::optional(text_.substr(at_ + 1, to - at_ - 1));
}

void Scanner::raise(const std::u32string& exponent) {
  std::u32string inner = exponent;
  if (inner.front() == '(') inner = inner.substr(1, inner.size() - 2);
  const Formula formula = formula_of(inner).value_or(Formula{"?", 5.0});
  Piece* base = touching();
  if (base == nullptr || !base->is_term() || base->scripted) {
    add(Piece::Kind::symbol, "{}", 0.0);
    base = &pieces_.back();
  }
  base->tex += "^{" + formula.tex + "}";
  base->width += 0.81 * formula.width + 0.5;  // 7 pt fonts are wider than 7/10; \scriptspace
  base->scripted = true;
}

bool Scanner::script() {
  if (touching() == nullptr) return false;
  std::u32string exponent;
  if (peek() == '^') {
    const auto after = exponent_after_caret();
    if (!after || !formula_of(after->front() == '(' ? after->substr(1, after->size() - 2) : *after))
      return false;
    exponent = *after;
    at_ += 1 + exponent.size();
  } else {
    while (lowered(peek()) != U'\0') exponent += lowered(text_[at_++]);
    if (exponent.empty()) return false;
  }
  raise(exponent);
  return true;
}

/// K* and t*, and the prime of q'.
bool Scanner::star() {
  Piece* base = touching();
  if ((peek() != '*' && peek() != '\'') || base == nullptr || is_word(peek(1)) ||
      base->kind != Piece::Kind::symbol || base->scripted || base->tex == "|")
    return false;
  base->tex += peek() == '*' ? "^{*}" : "'";
  base->width += 4.5;
  base->scripted = true;
  ++at_;
  return true;
}

/// The parts and the length of a number 12, 0.5 or 1.751e-03 at the start of a text. Empty for a
/// name that begins with digits: 2D, 3f2a, 1.2.3.
struct Digits {
  std::u32string mantissa, exponent;  ///< "1.751" and "-3"; no exponent if it is 0
  std::size_t size = 0;
};

std::optional<Digits> digits_at(std::u32string_view text) {
  const auto there = [&](std::size_t k) { return k < text.size() ? text[k] : U'\0'; };
  const auto end_of_digits = [&](std::size_t k) {
    while (is_digit(there(k))) ++k;
    return k;
  };
  std::size_t to = end_of_digits(0);
  if (to == 0) return std::nullopt;
  if (there(to) == '.' && is_digit(there(to + 1))) to = end_of_digits(to + 1);
  Digits digits{.mantissa = std::u32string(text.substr(0, to)), .exponent = {}, .size = to};
  if (there(to) == 'e' || there(to) == 'E') {
    const std::size_t sign = there(to + 1) == '-' || there(to + 1) == '+' ? 1 : 0;
    const std::size_t from = to + 1 + sign, end = end_of_digits(from);
    if (end > from) {
      std::size_t first = from;
      while (there(first) == '0') ++first;
      digits.exponent = text.substr(std::min(first, end), end - std::min(first, end));
      if (there(to + 1) == '-' && !digits.exponent.empty()) digits.exponent.insert(0, 1, U'-');
      to = digits.size = end;
    }
  }
  if (is_word(there(to)) || (there(to) == '.' && is_digit(there(to + 1)))) return std::nullopt;
  return digits;
}

bool Scanner::number() {
  const char32_t last = before();
  const bool sign = peek() == '-' || peek() == '+' || peek() == U'−';
  if (sign && (is_word(last) || last == ')' || last == ']' || last == '-' || last == '.'))
    return false;
  const auto digits = digits_at(std::u32string_view(text_).substr(at_ + (sign ? 1 : 0)));
  if (!digits) return false;
  const bool power_of_ten = !digits->exponent.empty();
  // 1e-05 is a plain power of ten.
  std::u32string mantissa = power_of_ten && digits->mantissa == U"1" ? U"" : digits->mantissa;
  const bool product = power_of_ten && !mantissa.empty();
  if (sign) mantissa.insert(0, 1, peek());
  Formula formula = *formula_of(mantissa);
  if (power_of_ten) {
    formula.tex += product ? "\\times10" : "10";
    formula.width += product ? 10.0 + 7.78 + 4.45 : 10.0;
  }
  at_ += (sign ? 1 : 0) + digits->size;
  add(Piece::Kind::number, formula.tex, formula.width);
  if (power_of_ten) raise(digits->exponent);
  return true;
}

/// Whether the single letter here is a symbol: no English word, no unit, and no part of one.
bool Scanner::is_symbol_alone() const {
  constexpr std::u32string_view field_letters = U"qvtuwxyzhpTKGCDPEFM";
  if (brackets_ > 0 || !is_letter(peek()) || is_word(peek(1))) return false;
  if (before() == '\'' || before() == '.' || (peek(1) == '\'' && is_letter(peek(2))) ||
      (peek(1) == '.' && is_letter(peek(2))))
    return false;  // don't, e.g.
  const bool is_set = peek(1) == ' ' && peek(2) == '=' && peek(3) == ' ';
  return is_set || field_letters.find(peek()) != field_letters.npos;
}

/// "(t)", "(0)" after a symbol.
void Scanner::argument() {
  if (peek() != '(') return;
  const std::size_t end = text_.find(U')', at_);
  if (end == text_.npos || end == at_ + 1 || end > at_ + 8) return;
  const auto inner = formula_of(text_.substr(at_ + 1, end - at_ - 1));
  if (!inner) return;
  pieces_.back().tex += "(" + inner->tex + ")";
  pieces_.back().width += inner->width + 2 * roman_width('(');
  at_ = end + 1;
}

constexpr std::size_t longest_word = 24;  // letters, 120 pt; the longest names of the catalogue fit

bool Scanner::word() {
  if (!is_word(peek())) return false;
  if (is_symbol_alone()) {
    const char32_t c = text_[at_++];
    add(Piece::Kind::symbol, utf8(c), italic_width(c));
    argument();
    return true;
  }
  std::u32string name;
  while (is_word(peek()) || (is_digit(before()) && peek() == '.' && is_digit(peek(1))))
    name += text_[at_++];
  if (name == U"mu" || name == U"mu0" || name == U"mu1") {
    add(Piece::Kind::symbol, name == U"mu" ? "\\mu" : "\\mu_" + utf8(name.back()),
        name == U"mu" ? 6.03 : 10.6);
    return true;
  }
  // A word that is too long for a line is split, so that TeX may break it.
  const std::size_t part = name.size() > longest_word ? 8 : name.size();
  for (std::size_t k = 0; k < name.size(); ++k) {
    if (k % part == 0) add(Piece::Kind::word, "", 0.0);
    pieces_.back().tex += name[k] == '_' ? "\\_" : utf8(name[k]);
    pieces_.back().width += roman_width(name[k]);
  }
  return true;
}

bool Scanner::symbol() {
  const auto known = latex_symbols().find(peek());
  if (known == latex_symbols().end()) return false;
  ++at_;
  add(Piece::Kind::symbol, known->second.tex, known->second.width);
  pieces_.back().scripted = known->first == U'°';
  if (is_letter(static_cast<char32_t>(known->second.tex[1]))) argument();
  return true;
}

bool Scanner::sign() {
  for (const std::size_t length : {2U, 1U}) {
    const auto known = latex_relations().find(std::u32string_view(text_).substr(at_, length));
    if (known == latex_relations().end()) continue;
    at_ += known->first.size();
    add(Piece::Kind::relation, known->second.tex, known->second.width + relation_space);
    return true;
  }
  const bool between_blanks = before() == ' ' && peek(1) == ' ';
  if (peek() != '=' && peek() != '+' && peek() != '/' && !(peek() == '-' && between_blanks))
    return false;
  const char32_t c = text_[at_++];
  add(Piece::Kind::loose, utf8(c), roman_width(c) + (c == '/' ? 0.0 : relation_space));
  return true;
}

/// All other characters: punctuation, special characters, and those missing in the fonts.
void Scanner::mark() {
  const char32_t c = text_[at_];
  const char32_t last = before();
  ++at_;
  const auto known = latex_marks().find(c);
  if (c == '"' && touching() == nullptr)
    add(Piece::Kind::word, "``", 5.0);
  else if (known != latex_marks().end())
    add(Piece::Kind::word, known->second.tex, known->second.width);
  else if (c < 0x80)
    add(Piece::Kind::word, utf8(c), roman_width(c));
  else {
    const std::string number = fmt::format("[U+{:04X}]", static_cast<std::uint32_t>(c));
    add(Piece::Kind::word, number, 7.0 * static_cast<double>(number.size()));
  }
  // "--", "?`" and "''" would become ligatures.
  if ((c == '-' || c == '`' || c == '\'' || c == ',') &&
      (last == c || (c == '`' && (last == '?' || last == '!'))))
    pieces_.back().tex.insert(0, "{}");
}

}  // namespace

std::vector<Piece> latex_pieces(std::string_view text) {
  return Scanner(characters(text)).pieces();
}

}  // namespace rigidlimit
