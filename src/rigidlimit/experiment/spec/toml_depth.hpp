// How deep a TOML text nests, found before anything that recurses sees it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace rigidlimit {

/// A place in a text, from 1; columns count characters (UTF-8).
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// Of the byte at `at`.
TextPlace place_of(std::string_view text, std::size_t at);

/// Where `text` first stands more than `most` levels deep; nothing where it never does. The keys of
/// a [header] are levels, and so are those before a value and every bracket around it:
///
///   [a.b]
///   c.d = [[1, 2]]    # a, b, c, d, [, [: six
///
/// Parsers build a dotted key of n parts without recursion, but end it, walk it and print it by n
/// calls inside each other: 200 000 parts overflow the stack. This is one pass without recursion
/// that knows strings and comments. It need not know what is no TOML: up to the first place where a
/// parser stops, it sees the text as the parser does.
std::optional<TextPlace> place_beyond_depth(std::string_view text, std::size_t most);

}  // namespace rigidlimit
