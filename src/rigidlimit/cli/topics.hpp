// Texts of `rigidlimit help TOPIC`: the sections
// of docs/help.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/cli/markdown.hpp"

namespace rigidlimit {

/// A section with the heading "NAME: TITLE".
struct Topic {
  std::string name;   ///< "study-files"
  std::string title;  ///< one line
  std::vector<MarkdownBlock> blocks;
};

/// In the order of the page. After its first paragraph, the topic `verdicts` lists the meanings of
/// the verdicts.
const std::vector<Topic>& topics();

/// nullptr: none.
const Topic* find_topic(std::string_view name);

/// The title and the text for a terminal 80 columns wide.
std::string text_of(const Topic& topic);

}  // namespace rigidlimit
