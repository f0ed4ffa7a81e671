// The texts of `rigidlimit explain` and `rigidlimit help TOPIC`: the sections of docs/verdicts.md
// and docs/help.md, which the build embeds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/cli/help/markdown.hpp"

namespace rigidlimit {

// src/embed_texts.cmake writes the definitions.
extern const char* const verdicts_page;  ///< docs/verdicts.md, with a section for each word
extern const char* const help_page;      ///< docs/help.md, with a section for each topic

/// A word in tables: a section of verdicts_page.
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

/// A section of help_page with the heading "NAME: TITLE".
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
