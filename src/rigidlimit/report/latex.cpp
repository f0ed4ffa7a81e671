#include "rigidlimit/report/latex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "rigidlimit/core/letters.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/report/unit_words.hpp"

namespace rigidlimit {

namespace {

/// The smallest part of a text with one style. A sign stands between two terms of a formula.
struct Piece {
  enum class Kind { word, blank, symbol, number, sign } kind = Kind::word;
  std::string tex;
  std::size_t size = 0;   ///< about its number of characters
  bool scripted = false;  ///< has an exponent; TeX rejects a second one
  bool unit = false;      ///< "kg", "m"

  bool is_term() const { return kind == Kind::symbol || kind == Kind::number; }
};

using PieceKind = Piece::Kind;

/// Words and characters that LaTeX writes in another way.
struct Spelling {
  PieceKind kind = PieceKind::word;
  std::string tex;
};

/// Pairs of a plain text and its spelling, between blanks.
constexpr const char* symbols = R"(
    α \alpha  β \beta  γ \gamma  δ \delta  ε \varepsilon  ζ \zeta  η \eta  θ \theta  κ \kappa
    λ \lambda  μ \mu  µ \mu  ν \nu  ξ \xi  π \pi  ρ \rho  σ \sigma  τ \tau  φ \varphi  ϕ \phi
    χ \chi  ψ \psi  ω \omega  Γ \Gamma  Δ \Delta  Θ \Theta  Λ \Lambda  Ξ \Xi  Π \Pi  Σ \Sigma
    Φ \Phi  Ψ \Psi  Ω \Omega  ∂ \partial  ∇ \nabla  ∞ \infty  √ \surd  ∑ \sum  ∫ \int  ‖ \|
    | |  ½ 1/2  mu \mu  mu0 \mu_0  mu1 \mu_1)";
constexpr const char* signs = R"(
    ± \pm  ≤ \le  ≥ \ge  <= \le  >= \ge  < <  > >  = =  + +  → \to  -> \to  ≈ \approx  ≠ \ne
    ≡ \equiv  × \times  · \cdot  ≪ \ll  ≫ \gg  ∈ \in  ⊥ \perp  − -  ÷ \div)";
constexpr const char* marks = R"(
    \ \textbackslash{}  & \&  % \%  $ \char36{}  # \#  _ \_  { \{  } \}  ~ \textasciitilde{}
    ^ \textasciicircum{}  " ''  – --  — ---  … \dots{}  ‘ `  ’ '  “ ``  ” '')";

const std::map<std::string, Spelling, std::less<>>& spellings() {
  static const auto all = [] {
    std::map<std::string, Spelling, std::less<>> known{{"\u00a0", {PieceKind::word, "~"}}};
    for (const auto& [kind, pairs] :
         {std::pair(PieceKind::symbol, symbols), std::pair(PieceKind::sign, signs),
          std::pair(PieceKind::word, marks)}) {
      std::istringstream words(pairs);
      for (std::string plain, tex; words >> plain >> tex;) known[plain] = {kind, tex};
    }
    return known;
  }();
  return all;
}

/// The first character of a text in valid UTF-8.
std::string_view first_character(std::string_view text) {
  std::size_t size = std::min<std::size_t>(text.size(), 1);
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U) ++size;
  return text.substr(0, size);
}

char32_t code_of(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  char32_t code = lead < 0x80U ? lead : lead & (0x7fU >> character.size());
  for (const char c : character.substr(1))
    code = (code << 6U) | (static_cast<unsigned char>(c) & 0x3fU);
  return code;
}

/// Letters, digits, '_', and the accented letters that OT1 can compose: it has no eth, no thorn.
bool is_of_word(std::string_view character) {
  if (character.empty()) return false;
  if (character.size() == 1)
    return is_letter(character[0]) || is_digit(character[0]) || character[0] == '_';
  constexpr std::u32string_view others = U"×÷ÐðÞþ";
  const char32_t code = code_of(character);
  return code >= U'À' && code <= U'ÿ' && others.find(code) == others.npos;
}

/// Appends `next` to a formula; a macro like \lambda needs a blank before a letter.
void append_maths(std::string& tex, std::string_view next) {
  std::size_t name = tex.size();
  while (name > 0 && is_letter(tex[name - 1])) --name;
  const bool ends_in_macro = name > 0 && name < tex.size() && tex[name - 1] == '\\';
  if (ends_in_macro && !next.empty() && is_letter(next.front())) tex += ' ';
  tex += next;
}

/// "-1/2" or "−β" as the content of an exponent; empty if it has other characters.
std::string exponent_formula(std::string_view text) {
  std::string tex;
  for (; !text.empty(); text.remove_prefix(first_character(text).size())) {
    const std::string_view c = first_character(text);
    const auto known = spellings().find(c);
    if (c == "−")
      tex += '-';
    else if (known != spellings().end() && known->second.kind == PieceKind::symbol)
      append_maths(tex, known->second.tex);
    else if (c.size() == 1 && (is_letter(c[0]) || is_digit(c[0]) || c.find_first_of(".+-/") == 0))
      append_maths(tex, c);
    else
      return "";
  }
  return tex;
}

/// A number 12, 0.5 or 1.751e-03 at the start of a text.
struct LatexNumber {
  std::string mantissa, exponent;  ///< "1.751" and "-3"; an exponent 0 is empty
  std::size_t size = 0;
};

/// Empty for a name that begins with digits: 2D, 3f2a, 1.2.3.
std::optional<LatexNumber> number_at(std::string_view text) {
  const auto at = [&](std::size_t k) { return k < text.size() ? text[k] : '\0'; };
  const auto end_of_digits = [&](std::size_t k) {
    while (is_digit(at(k))) ++k;
    return k;
  };
  std::size_t to = end_of_digits(0);
  if (to == 0) return std::nullopt;
  if (at(to) == '.' && is_digit(at(to + 1))) to = end_of_digits(to + 1);
  LatexNumber number{.mantissa = std::string(text.substr(0, to)), .exponent = {}, .size = to};
  if (at(to) == 'e' || at(to) == 'E') {
    std::size_t from = to + 1 + (at(to + 1) == '-' || at(to + 1) == '+' ? 1 : 0);
    const std::size_t end = end_of_digits(from);
    if (end > from) {
      while (at(from) == '0') ++from;
      number.exponent = text.substr(from, end - from);
      if (at(to + 1) == '-' && !number.exponent.empty()) number.exponent.insert(0, 1, '-');
      number.size = to = end;
    }
  }
  if (is_of_word(first_character(text.substr(to))) || (at(to) == '.' && is_digit(at(to + 1))))
    return std::nullopt;
  return number;
}

constexpr std::size_t longest_number = 24;  ///< characters of a number that is a formula

/// Splits a printable text. A member that returns bool appends one piece, or changes nothing.
class Scanner {
 public:
  /// A piece of a word has at most three quarters of `longest_run` characters.
  Scanner(std::string_view text, std::size_t longest_run)
      : text_(text), longest_word_(longest_run * 3 / 4) {}

  std::vector<Piece> pieces() {
    while (at_ < text_.size())
      if (!exponent() && !number() && !word() && !known()) other();
    return std::move(pieces_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char before() const { return at_ == 0 ? ' ' : text_[at_ - 1]; }
  void add(PieceKind kind, std::string tex, std::size_t size) {
    pieces_.push_back({kind, std::move(tex), size});
    at_ += size;
  }

  /// x^2, x^(−β), x², xᵀ and x*.
  bool exponent() {
    static const std::map<std::string_view, char> raised{
        {"⁰", '0'}, {"¹", '1'}, {"²", '2'}, {"³", '3'}, {"⁴", '4'}, {"⁵", '5'}, {"⁶", '6'},
        {"⁷", '7'}, {"⁸", '8'}, {"⁹", '9'}, {"⁻", '-'}, {"⁺", '+'}, {"ᵀ", 'T'}};
    if (before() == ' ') return false;
    std::string tex;
    std::size_t size = 0;
    for (auto c = raised.find(first_character(rest())); c != raised.end();
         c = raised.find(first_character(rest().substr(size)))) {
      tex += c->second;
      size += c->first.size();
    }
    if (rest().starts_with('^')) {
      const std::string_view after = rest().substr(1);
      std::size_t from = 0, end = 0;
      if (after.starts_with('(')) {
        from = 1;
        end = std::min(after.find(')'), after.size());
        size = end + 2;
      } else {
        end = after.starts_with('-') || after.starts_with('+') ? 1 : 0;
        const std::size_t first = end;
        while (end < after.size() &&
               (is_digit(after[end]) || (end > first && after[end] == '.' &&
                                         end + 1 < after.size() && is_digit(after[end + 1]))))
          ++end;
        if (end == first) end += first_character(after.substr(end)).size();
        size = end + 1;
      }
      if (end > from + 16 || size > rest().size()) return false;
      tex = exponent_formula(after.substr(from, end - from));
    }
    const bool is_star = rest().starts_with('*') && pieces_.back().kind == PieceKind::symbol &&
                         pieces_.back().tex != "|" &&
                         !is_of_word(first_character(rest().substr(1)));
    if (is_star && !pieces_.back().scripted) {
      tex = "*";
      size = 1;
    }
    if (tex.empty()) return false;
    if (!pieces_.back().is_term() || pieces_.back().scripted) raise_nothing();
    pieces_.back().tex += "^{" + tex + "}";
    pieces_.back().size += size;
    pieces_.back().scripted = true;
    at_ += size;
    return true;
  }

  /// The base of an exponent that stands behind a word, a sign or another exponent.
  void raise_nothing() {
    add(PieceKind::symbol, pieces_.back().kind == PieceKind::word ? "" : "{}", 0);
  }

  bool number() {
    const std::size_t sign = rest().starts_with('-') || rest().starts_with('+') ? 1
                             : rest().starts_with("−")                          ? 3
                                                                                : 0;
    if (sign > 0 && (is_letter(before()) || is_digit(before()) ||
                     std::string_view(")]-._").find(before()) != std::string_view::npos))
      return false;
    const auto found = number_at(rest().substr(sign));
    if (!found || found->size > longest_number) return false;
    std::string tex = sign == 0 ? "" : rest().front() == '+' ? "+" : "-";
    if (found->exponent.empty())
      tex += found->mantissa;
    else
      tex += fmt::format("{}10^{{{}}}", found->mantissa == "1" ? "" : found->mantissa + "\\times",
                         found->exponent);
    add(PieceKind::number, tex, sign + found->size);
    pieces_.back().scripted = !found->exponent.empty();
    return true;
  }

  /// A word, or one letter as a symbol. A long word is several pieces.
  bool word() {
    std::size_t size = 0;
    std::string tex;
    for (auto c = first_character(rest()); size < longest_word_;
         c = first_character(rest().substr(size))) {
      const bool is_point = c == "." && size > 0 && is_digit(rest()[size - 1]) &&
                            size + 1 < rest().size() && is_digit(rest()[size + 1]);
      if (!is_of_word(c) && !is_point) break;
      tex += c == "_" ? "\\_" : std::string(c);
      size += c.size();
      if (c == "_" && longest_word_ < default_longest_run * 3 / 4) break;
    }
    if (size == 0) return false;
    const auto name = spellings().find(rest().substr(0, size));
    if (name != spellings().end() && size > 1)
      add(PieceKind::symbol, name->second.tex, size);
    else
      add(size == 1 && is_symbol() ? PieceKind::symbol : PieceKind::word, tex, size);
    pieces_.back().unit = is_unit(tex);
    return true;
  }

  /// Whether the single letter here is a symbol: no English word, and no part of "don't" or "e.g.".
  bool is_symbol() const {
    constexpr std::string_view letters = "qvtuwxyzhpTKGCDPEFM", joined = "'._";
    const char after = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
    const bool ends =
        after != '\'' && (after != '.' || at_ + 2 >= text_.size() || text_[at_ + 2] == ' ');
    return letters.find(text_[at_]) != letters.npos && joined.find(before()) == joined.npos && ends;
  }

  bool known() {
    auto name = spellings().find(rest().substr(0, 2));
    if (name == spellings().end()) name = spellings().find(first_character(rest()));
    if (name == spellings().end()) return false;
    const bool opens = name->first == "\"" && (at_ == 0 || before() == ' ');
    add(name->second.kind, opens ? "``" : name->second.tex, name->first.size());
    return true;
  }

  void other() {
    const std::string_view c = first_character(rest());
    const char last = before();
    if (c == " ") return add(PieceKind::blank, " ", 1);
    if (c.size() > 1) {
      add(PieceKind::word, fmt::format("[U+{:04X}]", static_cast<std::uint32_t>(code_of(c))),
          c.size());
      pieces_.back().size = 12;
      return;
    }
    // "--", "''" and "?`" would become ligatures.
    const bool ligature = at_ > 0 && (last == c[0] || (c == "`" && (last == '?' || last == '!')));
    add(PieceKind::word, (ligature ? "{}" : "") + std::string(c), 1);
  }

  std::string_view text_;
  std::size_t longest_word_;
  std::size_t at_ = 0;
  std::vector<Piece> pieces_;
};

/// The nearest piece from `k` on in direction `step`, without blanks; a word at the ends.
const Piece& beside(const std::vector<Piece>& pieces, std::size_t k, int step) {
  static const Piece end;
  do k += static_cast<std::size_t>(step);
  while (k < pieces.size() && pieces[k].kind == PieceKind::blank);
  return k < pieces.size() ? pieces[k] : end;
}

/// Whether the piece is a sign between two terms: TeX spaces it.
bool joins(const std::vector<Piece>& pieces, std::size_t k) {
  return k < pieces.size() && pieces[k].kind == PieceKind::sign &&
         beside(pieces, k, -1).is_term() && beside(pieces, k, +1).is_term();
}

}  // namespace

std::string latex_text(std::string_view plain, std::size_t longest_run) {
  if (plain == "-") return "--";  // a missing number
  const std::string clean = printable(plain);
  const std::vector<Piece> pieces = Scanner(clean, longest_run).pieces();
  std::string text;
  bool maths = false;
  std::size_t run = 0;  // characters since the last possible line break
  const auto change = [&](bool to) {
    if (maths != to) text += '$';
    maths = to;
  };
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const Piece& piece = pieces[k];
    if (piece.kind == PieceKind::blank) {
      if (joins(pieces, k - 1) || joins(pieces, k + 1)) continue;
      const bool product = maths && pieces[k - 1].is_term() && k + 1 < pieces.size() &&
                           pieces[k + 1].kind == PieceKind::symbol;
      change(product);
      const bool units = k > 0 && pieces[k - 1].unit && k + 1 < pieces.size() && pieces[k + 1].unit;
      text += product || units ? "\\," : " ";
      run = product || units ? run : 0;
      continue;
    }
    const std::size_t size = piece.size + (piece.kind == PieceKind::sign ? 2 : 0);
    if (run + size > longest_run && run > 0 && !joins(pieces, k)) {
      change(false);
      text += "\\allowbreak{}";
      run = 0;
    }
    run += size;
    change(piece.kind != PieceKind::word);
    if (joins(pieces, k)) {
      text += " " + piece.tex + " ";
      run = 0;  // TeX breaks formulas after signs
    } else if (maths)
      append_maths(text, piece.tex);
    else
      text += piece.tex;
  }
  change(false);
  return text;
}

std::string siunitx_number(std::string_view plain) {
  const std::size_t sign = plain.starts_with('-') || plain.starts_with('+') ? 1 : 0;
  const auto number = number_at(plain.substr(sign));
  if (!number || sign + number->size != plain.size()) return "";
  return fmt::format("{}{}{}{}", plain.substr(0, sign), number->mantissa,
                     number->exponent.empty() ? "" : "e", number->exponent);
}

std::string latex_label(std::string_view study, std::string_view table) {
  std::string label = fmt::format("tab:{}:{}", study, table);
  for (char& c : label)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != ':' && c != '.')
      c = '-';
  return label;
}

}  // namespace rigidlimit
