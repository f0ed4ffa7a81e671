// Nesting depth of a TOML text, checked before any recursive parser reads it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace rigidlimit {

/// A place in a text. Lines and columns start at 1; columns count characters (UTF-8).
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// Place of the byte at position `at`.
TextPlace place_of(std::string_view text, std::size_t at);

/// The first place where `text` nests more than `most` levels deep; empty: nowhere. Each part of a
/// [header] or dotted key is a level, and so is each bracket around a value:
///
///   [a.b]
///   c.d = [[1, 2]]    # a, b, c, d, [, [: six
///
/// A parser reads a dotted key of n parts without recursion, but destroys, walks and prints the
/// result with n nested calls: 200 000 parts overflow the stack. This function makes one pass
/// without recursion and knows strings and comments. It does not check that the text is TOML: up to
/// the first syntax error it reads the text as the parser does.
std::optional<TextPlace> place_beyond_depth(std::string_view text, std::size_t most);

}  // namespace rigidlimit
