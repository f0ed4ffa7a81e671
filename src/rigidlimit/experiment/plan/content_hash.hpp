// A hash that identifies a text.
#pragma once

#include <string>
#include <string_view>

namespace rigidlimit {

/// The UUID (version 5, SHA-1; RFC 4122) of the bytes in a name space of this project: the same on
/// every machine. Two different texts collide with probability 2^(−61).
std::string content_hash(std::string_view bytes);

}  // namespace rigidlimit
