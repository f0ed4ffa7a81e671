// Makes arbitrary text safe to display.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rigidlimit {

/// `text` on one line in valid UTF-8, safe for terminals and readers. Each control character (C0,
/// DEL, C1, line and paragraph separators) becomes a blank. Each mark that changes the direction of
/// writing ("Trojan Source", Boucher and Anderson 2021) and each invalid UTF-8 byte becomes U+FFFD.
/// All other characters stay.
std::string printable(std::string_view text);

/// The same for each line of a text; the ends of lines stay.
std::string printable_lines(std::string_view text);

/// `text` with a TOML and JSON escape, \u2028, for each character that printable() replaces, except
/// ends of lines. For a text that is valid in one of these languages, or between their quotes.
std::string with_escapes(std::string_view text);

/// At most `longest` bytes of it and " …"; never cut inside a UTF-8 character.
std::string shortened(std::string text, std::size_t longest);

}  // namespace rigidlimit
