#include "rigidlimit/report/latex_width.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "rigidlimit/core/letters.hpp"

namespace rigidlimit {

namespace {

/// Lines of a width, in hundredths of a digit, and the texts that have it: the largest of \wd in
/// cmr9, cmr8 and cmr7, over that of a digit.
constexpr const char* text_widths = R"(
34 \,
57 ! ' , . : ; [ ] ` i l
62 f j
68 - ~
72 \_
73 I
79 ( ) r t
80 s
89 c e z
95 ?
100 " * / 0 1 2 3 4 5 6 7 8 9 a g o \char \textasciitilde \textasciicircum
103 J \textbackslash \{ \}
106 k q v x y
111 S b d h n p u
122 Z
125 L
131 F
136 E P
142 B
145 C T w
147 R
150 A H N U V X Y
153 D
156 \& + = @ K O Q
157 G
167 \# \% m
183 M
206 W
268 \dots)";
/// The same of cmmi and cmsy.
constexpr const char* symbol_widths = R"(
34 \,
60 | \cdot .
65 l
71 i
76 t
88 b
90 c
93 j
95 \varepsilon e s
97 \xi
98 \delta q
99 o r
100 0 1 2 3 4 5 6 7 8 9 *
101 \theta
103 \zeta \| z I /
104 \rho g p
105 d
107 v
108 y
109 a
110 \eta
111 k
112 \nu
113 \tau
114 x
116 \gamma
118 \kappa \partial f h
119 \lambda u
121 \phi
122 \mu
123 \beta \sigma
124 \pi n
125 \chi \Gamma
129 J
131 \alpha
132 \varphi
133 \omega \Xi S
135 \in
138 L
139 \psi \Lambda
145 \Sigma \Phi \Omega
146 T
150 \Pi w Z
151 A
153 R
156 \Theta \Psi = + \ne F P
157 \pm \le \ge < > \approx \equiv \times \perp - \div C G U
158 E O Q
161 B Y
162 V
167 \Delta \surd \int
168 \nabla
171 D
178 m
181 H N X
183 K
200 \infty \to \ll \gg
214 M
217 W
265 \sum)";

using Widths = std::map<std::string, double, std::less<>>;

Widths letter_widths_of(const char* lines) {
  Widths widths;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    double hundredths = 0.0;
    words >> hundredths;
    for (std::string text; words >> text;) widths[text] = hundredths / 100.0;
  }
  return widths;
}

constexpr double widest_glyph = 2.68;      ///< of the characters above, for others
constexpr double accented_capital = 1.83;  ///< Æ, of the accented letters
constexpr double accented_small = 1.5;     ///< æ
constexpr double blank_width = 0.68, sentence_blank = 0.9;
constexpr double beside_relation = 0.58, beside_operator = 0.47;
constexpr double after_script = 0.13;  ///< \scriptspace

double width_in(const Widths& widths, std::string_view token) {
  const auto at = widths.find(token);
  return at == widths.end() ? widest_glyph : at->second;
}

bool is_operator(std::string_view token) {
  constexpr std::string_view all[] = {"\\pm", "\\times", "\\cdot", "\\div", "+", "-"};
  return std::ranges::find(all, token) != std::end(all);
}

bool is_relation(std::string_view token) {
  constexpr std::string_view all[] = {"\\le", "\\ge",     "<",     ">",       "=",
                                      "\\to", "\\approx", "\\ne",  "\\equiv", "\\ll",
                                      "\\gg", "\\in",     "\\perp"};
  return std::ranges::find(all, token) != std::end(all);
}

/// Adds up the characters of a text.
class LatexRuler {
 public:
  explicit LatexRuler(std::string_view tex) : tex_(tex) {}

  LatexExtent extent() {
    while (at_ < tex_.size()) {
      const std::string_view token = next();
      if (token == "$")
        in_maths_ = !in_maths_, begins_ = true;
      else if (token == "\\allowbreak")
        end_word();
      else if (token != "{" && token != "}")
        in_maths_ ? take_symbol(token) : take_text(token);
    }
    end_word();
    return extent_;
  }

 private:
  /// A macro, or a character.
  std::string_view next() {
    std::size_t size = 1;
    if (tex_[at_] == '\\') {
      while (at_ + size < tex_.size() && is_letter(tex_[at_ + size])) ++size;
      if (size == 1) size = 2;
    } else {
      while (at_ + size < tex_.size() &&
             (static_cast<unsigned char>(tex_[at_ + size]) & 0xc0U) == 0x80U)
        ++size;
    }
    size = std::min(size, tex_.size() - at_);
    const std::string_view token = tex_.substr(at_, size);
    at_ += size;
    return token;
  }

  void add(double width) {
    extent_.line += width;
    word_ += width;
    piece_ += width;
  }

  void end_piece() {
    extent_.piece = std::max(extent_.piece, piece_);
    piece_ = 0.0;
  }

  void end_word() {
    extent_.word = std::max(extent_.word, word_);
    word_ = 0.0;
    end_piece();
  }

  void take_text(std::string_view token) {
    static const Widths widths = letter_widths_of(text_widths);
    if (token == " ") {
      end_word();
      extent_.line += ends_sentence_ ? sentence_blank : blank_width;
    } else if (token.size() > 1 && token[0] != '\\') {
      add(token < "à" ? accented_capital : accented_small);
    } else {
      add(width_in(widths, token));
    }
    if (token == "\\char")
      while (at_ < tex_.size() && is_digit(tex_[at_])) ++at_;
    ends_sentence_ =
        token == "." || token == "?" || token == "!" || token == ":" || token == "\\dots";
  }

  void take_symbol(std::string_view token) {
    if (token == " ") return;
    if (token == "^" || token == "_") {
      script();
    } else {
      add(symbol(token));
      if (is_operator(token) && !begins_) add(2.0 * beside_operator);
      if (is_relation(token)) add((begins_ ? 1.0 : 2.0) * beside_relation);
      // TeX breaks a line behind an operator between two terms and behind a relation.
      if (is_relation(token) || (is_operator(token) && !begins_)) end_piece();
    }
    begins_ = false;
  }

  static double symbol(std::string_view token) {
    static const Widths widths = letter_widths_of(symbol_widths);
    return width_in(widths, token);
  }

  /// The group, or the character, after ^ or _.
  void script() {
    const auto scaled = [](std::string_view token) {
      return 0.87 * symbol(token) + (is_digit(token[0]) ? 0.0 : 0.04);
    };
    std::string_view token = next();
    if (token != "{") {
      add(scaled(token));
    } else {
      while (at_ < tex_.size() && (token = next()) != "}")
        if (token != " " && token != "{") add(scaled(token));
    }
    add(after_script);
  }

  std::string_view tex_;
  std::size_t at_ = 0;
  bool in_maths_ = false, begins_ = true, ends_sentence_ = false;
  double word_ = 0.0, piece_ = 0.0;
  LatexExtent extent_;
};

}  // namespace

LatexExtent latex_extent(std::string_view tex) {
  return LatexRuler(tex).extent();
}

}  // namespace rigidlimit
