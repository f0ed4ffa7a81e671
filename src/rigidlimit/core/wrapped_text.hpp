// Widths of texts, and texts broken into lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rigidlimit {

/// Number of displayed characters: code points of UTF-8.
std::size_t display_width(std::string_view text);

/// `text` broken between words into lines of at most `width` characters (code points), each
/// indented by `indent` spaces and ended by a newline. A longer word is a line of its own.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t width = 80);

}  // namespace rigidlimit
