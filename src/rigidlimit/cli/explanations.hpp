// What the words of the tables mean, how they are decided, and what to do next.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigidlimit {

struct Explanation {
  std::string name;     ///< the word, as it is printed
  std::string what;     ///< whose word it is, "verdict on a series"; groups the list
  std::string means;    ///< one or two sentences
  std::string decided;  ///< the rule, with the program's own numbers
  std::string next;     ///< what to do
  std::string example;  ///< a command
};

/// Verdicts, statuses of rows and trials, states of bounds, results of studies, outcomes of solves.
/// A word that two of them use has one entry that says both.
const std::vector<Explanation>& explanations();

/// The entry of a word, or of the outcome in "failed: max_steps" and "failed: rigid max_steps";
/// nullptr if there is none.
const Explanation* find_explanation(std::string_view name);

std::vector<std::string> names_of_explanations();

/// For a terminal, 80 columns wide.
std::string text_of(const Explanation& explanation);

// The parts of explanations().
std::vector<Explanation> explained_verdicts();
std::vector<Explanation> explained_rows();
std::vector<Explanation> explained_bounds_and_studies();
std::vector<Explanation> explained_outcomes();

}  // namespace rigidlimit
