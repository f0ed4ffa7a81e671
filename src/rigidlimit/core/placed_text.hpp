// A text from the user, with the place of each of its characters.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace rigidlimit {

/// `key` names the text in messages: "system.potential".
struct PlacedText {
  std::string text = {};
  std::string key = {};
  /// "file.toml:12:9" of the character at this offset; empty: from a caller.
  std::function<std::string(std::size_t offset)> place = {};

  std::string where(std::size_t offset = 0) const { return place ? place(offset) : std::string(); }
};

}  // namespace rigidlimit
