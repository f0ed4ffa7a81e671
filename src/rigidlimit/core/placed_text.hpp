// A text that somebody wrote, and where each of its characters stands.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace rigidlimit {

/// `key` says what it is in messages: "system.potential".
struct PlacedText {
  std::string text = {};
  std::string key = {};
  /// "file.toml:12:9" of the character at this offset; empty: it came from a caller.
  std::function<std::string(std::size_t offset)> place = {};

  std::string where(std::size_t offset = 0) const { return place ? place(offset) : std::string(); }
};

}  // namespace rigidlimit
