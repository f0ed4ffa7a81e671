// "Did you mean …?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigidlimit {

/// The least number of insertions, deletions, substitutions and swaps of neighbours that turn a
/// into b (optimal string alignment distance).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Whether `word` is likely meant as `valid`: at most a third of the letters are wrong, or one
/// begins with the other.
bool is_misspelling(std::string_view word, std::string_view valid);

/// "; did you mean 'stiffness'? Valid: damping, stiffness". The first half appears only if a valid
/// word is close enough, ignoring case. For more than 30 valid words only those that resemble
/// `word` are listed, with the total number; `all_of_them` is the command that lists them all.
std::string suggestion(std::string_view word, const std::vector<std::string>& valid,
                       std::string_view all_of_them = {});

}  // namespace rigidlimit
