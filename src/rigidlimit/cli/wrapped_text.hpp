// Running text for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rigidlimit {

/// `text` broken between words into lines of at most `width` characters (code points), each behind
/// `indent` spaces and ended by a newline. A word that is longer stands alone.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t width = 80);

/// "  name      text, wrapped, in a column that begins at `column`"; where the name reaches into
/// it, the text begins on the next line.
std::string hanging(std::string_view name, std::string_view text, std::size_t column);

}  // namespace rigidlimit
