// Explanations of the words in tables: the sections of docs/verdicts.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/cli/markdown.hpp"

namespace rigidlimit {

struct Explanation {
  std::string name;   ///< the word as printed, the heading of its section
  std::string group;  ///< the heading above: "Verdict on a series"
  /// Meaning, rule and next step, a paragraph each, and an example command.
  std::vector<MarkdownBlock> blocks;

  const std::string& meaning() const { return blocks.front().text; }
};

/// Verdicts, statuses of rows and trials, states of bounds and claims on steps, results of studies,
/// outcomes of solves, in the order of the page. A word with two uses has one entry.
const std::vector<Explanation>& explanations();

/// The entry of a word, also of the outcome in "failed: max_steps" and "failed: rigid max_steps";
/// nullptr: none.
const Explanation* find_explanation(std::string_view name);

std::vector<std::string> names_of_explanations();

/// Text for a terminal, 80 columns wide: the section, and the paragraphs that its group shares.
std::string text_of(const Explanation& explanation);

}  // namespace rigidlimit
