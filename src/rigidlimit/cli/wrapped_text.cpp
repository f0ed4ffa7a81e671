#include "rigidlimit/cli/wrapped_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace rigidlimit {

std::size_t length_of(std::string_view text) {
  // All bytes except continuation bytes.
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  const std::string margin(indent, ' ');
  std::istringstream words{std::string(text)};
  std::string all, line;
  for (std::string word; words >> word;) {
    if (line.empty()) {
      line = margin + word;
    } else if (length_of(line) + 1 + length_of(word) <= width) {
      line += ' ' + word;
    } else {
      all += line + '\n';
      line = margin + word;
    }
  }
  return line.empty() ? all : all + line + '\n';
}

std::string hanging(std::string_view name, std::string_view text, std::size_t column) {
  const std::string head = fmt::format("  {}", name);
  const std::string body = wrapped(text, column);
  if (length_of(head) + 1 > column) return head + '\n' + body;
  return head + body.substr(length_of(head));
}

}  // namespace rigidlimit
