// Wrapping of running text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rigidlimit {

/// Number of UTF-8 code points.
std::size_t length_of(std::string_view text);

/// `text` broken between words into lines of at most `width` characters (code points), each
/// indented by `indent` spaces and ended by a newline. A longer word is a line of its own.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t width = 80);

/// "  name      text, wrapped, in a column that begins at `column`"; if the name is too long, the
/// text begins on the next line.
std::string hanging(std::string_view name, std::string_view text, std::size_t column);

}  // namespace rigidlimit
