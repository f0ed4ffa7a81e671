// Text from anywhere, made fit to be shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rigidlimit {

/// `text` on one line, in valid UTF-8, that no terminal obeys and no reader misreads: a blank for
/// each control character (C0, DEL, C1, line and paragraph separators), U+FFFD for each mark that
/// turns the direction of writing ("Trojan Source", Boucher and Anderson 2021) and for each byte
/// that is no UTF-8. Everything else stays.
std::string printable(std::string_view text);

/// At most `longest` bytes of it and " …"; never cut inside a UTF-8 character.
std::string shortened(std::string text, std::size_t longest);

}  // namespace rigidlimit
