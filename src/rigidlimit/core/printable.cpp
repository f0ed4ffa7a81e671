#include "rigidlimit/core/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rigidlimit {

namespace {

struct Character {
  char32_t code = 0;
  std::size_t size = 0;  ///< bytes; 0: invalid UTF-8
};

/// First character of a non-empty `text` (RFC 3629: the shortest form, no surrogates).
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {};
  char32_t code = lead & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {};
    code = (code << 6U) | (byte(i) & 0x3fU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[size] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {code, size};
}

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
}

bool turns_direction(char32_t c) {
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

/// Number of leading bytes that are printable ASCII: nearly all of a long table.
std::size_t plain_size(std::string_view text) {
  const auto first = std::ranges::find_if(text, [](char c) { return c < 0x20 || c > 0x7e; });
  return static_cast<std::size_t>(first - text.begin());
}

/// The text with replacement(c) in place of each character that is not safe to display.
template <class Replacement>
std::string with_replaced(std::string_view text, const Replacement& replacement) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = plain_size(text);
    shown += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Character c = first_character(text);
    if (c.size == 0 || is_control(c.code) || turns_direction(c.code))
      shown += replacement(c);
    else
      shown += text.substr(0, c.size);
    text.remove_prefix(c.size == 0 ? 1 : c.size);
  }
  return shown;
}

}  // namespace

std::string printable(std::string_view text) {
  return with_replaced(text, [](const Character& c) {
    return c.size == 0 || turns_direction(c.code) ? "\ufffd" : " ";
  });
}

std::string printable_lines(std::string_view text) {
  std::string lines;
  for (;;) {
    const std::size_t end = text.find('\n');
    lines += printable(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    lines += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string with_escapes(std::string_view text) {
  return with_replaced(text, [](const Character& c) -> std::string {
    if (c.size == 0) return "\\ufffd";
    return c.code == '\n' ? "\n" : fmt::format("\\u{:04x}", static_cast<unsigned>(c.code));
  });
}

std::string shortened(std::string text, std::size_t longest) {
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  return text.substr(0, end) + " …";
}

}  // namespace rigidlimit
