// Explanations of the words in tables: meaning, rule, advice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigidlimit {

struct Explanation {
  std::string name;     ///< the word as printed
  std::string what;     ///< its group, "verdict on a series"
  std::string means;    ///< one or two sentences
  std::string decided;  ///< the rule, with the numbers of the program
  std::string next;     ///< what to do
  std::string example;  ///< a command
};

/// Verdicts, statuses of rows and trials, states of bounds, results of studies, outcomes of solves.
/// A word with two uses has one entry that explains both.
const std::vector<Explanation>& explanations();

/// The entry of a word, also of the outcome in "failed: max_steps" and "failed: rigid max_steps";
/// nullptr: none.
const Explanation* find_explanation(std::string_view name);

std::vector<std::string> names_of_explanations();

/// Text for a terminal, 80 columns wide.
std::string text_of(const Explanation& explanation);

// The parts of explanations().
std::vector<Explanation> explained_verdicts();
std::vector<Explanation> explained_rows();
std::vector<Explanation> explained_bounds_and_studies();
std::vector<Explanation> explained_outcomes();

}  // namespace rigidlimit
