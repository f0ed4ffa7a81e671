// What `rigidlimit help TOPIC` teaches, and the sections of the man page that say the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigidlimit {

struct Topic {
  std::string name;   ///< "study-files"
  std::string title;  ///< one line
  /// Blocks, an empty line between them. One whose lines begin with two spaces stands as it is,
  /// every other is running text. ASCII, 80 columns at most.
  std::string text;
};

/// Numbers in them are the program's own.
const std::vector<Topic>& topics();

/// nullptr if there is none.
const Topic* find_topic(std::string_view name);

/// Running text wrapped, the rest as it is, for a terminal 80 columns wide.
std::string text_of(const Topic& topic);

/// The blocks of a topic's text, without the empty lines.
std::vector<std::string> blocks_of(const Topic& topic);

/// A block that stands as it is.
bool is_verbatim(std::string_view block);

}  // namespace rigidlimit
