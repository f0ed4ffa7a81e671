// A name for a text that depends on nothing but the text.
#pragma once

#include <string>
#include <string_view>

namespace rigidlimit {

/// The UUID (version 5, SHA-1; RFC 4122) of the bytes in a name space of this project's own:
/// the same on every machine, and different for different texts but for accidents of 2^(−61).
std::string content_hash(std::string_view bytes);

}  // namespace rigidlimit
