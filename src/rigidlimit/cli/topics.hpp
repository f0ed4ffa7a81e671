// Texts of `rigidlimit help TOPIC` and of the corresponding sections of the man page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigidlimit {

struct Topic {
  std::string name;   ///< "study-files"
  std::string title;  ///< one line
  /// Blocks, separated by empty lines. A block whose lines begin with two spaces is verbatim;
  /// others are running text. ASCII, at most 80 columns.
  std::string text;
};

/// The numbers in the texts come from the program.
const std::vector<Topic>& topics();

/// nullptr: none.
const Topic* find_topic(std::string_view name);

/// The text for a terminal 80 columns wide: running text wrapped, verbatim blocks unchanged.
std::string text_of(const Topic& topic);

/// The blocks of a topic's text, without the empty lines.
std::vector<std::string> blocks_of(const Topic& topic);

/// Whether a block is verbatim.
bool is_verbatim(std::string_view block);

}  // namespace rigidlimit
