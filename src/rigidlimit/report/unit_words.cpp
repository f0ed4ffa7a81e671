#include "rigidlimit/report/unit_words.hpp"

#include <algorithm>
#include <array>

#include "rigidlimit/core/letters.hpp"

namespace rigidlimit {

bool is_unit(std::string_view word) {
  constexpr std::array<std::string_view, 14> units{"m",  "kg",  "s",  "N",   "J", "W",  "Pa",
                                                   "Hz", "rad", "mm", "deg", "g", "cm", "km"};
  return std::ranges::find(units, word) != units.end();
}

std::string with_raised_units(std::string_view text) {
  constexpr std::array<const char*, 10> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string raised;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '^') {
      raised += text[k];
      continue;
    }
    std::size_t from = k, to = k + 1;
    while (from > 0 && (is_letter(text[from - 1]) || is_digit(text[from - 1]) ||
                        std::string_view("_'").find(text[from - 1]) != std::string_view::npos))
      --from;
    if (to < text.size() && text[to] == '-') ++to;
    const std::size_t first = to;
    while (to < text.size() && is_digit(text[to])) ++to;
    if (!is_unit(text.substr(from, k - from)) || to == first) {
      raised += text[k];
      continue;
    }
    if (text[k + 1] == '-') raised += "⁻";
    for (std::size_t i = first; i < to; ++i)
      raised += digits[static_cast<std::size_t>(text[i] - '0')];
    k = to - 1;
  }
  return raised;
}

}  // namespace rigidlimit
