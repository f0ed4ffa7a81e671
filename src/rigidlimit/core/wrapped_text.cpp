#include "rigidlimit/core/wrapped_text.hpp"

#include <algorithm>
#include <sstream>

namespace rigidlimit {

std::size_t display_width(std::string_view text) {
  // UTF-8 continuation bytes are 10xxxxxx.
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  const std::string margin(indent, ' ');
  std::istringstream words{std::string(text)};
  std::string all, line;
  for (std::string word; words >> word;) {
    if (line.empty()) {
      line = margin + word;
    } else if (display_width(line) + 1 + display_width(word) <= width) {
      line += ' ' + word;
    } else {
      all += line + '\n';
      line = margin + word;
    }
  }
  return line.empty() ? all : all + line + '\n';
}

}  // namespace rigidlimit
