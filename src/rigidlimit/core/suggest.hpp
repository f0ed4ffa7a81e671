// "Did you mean …?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigidlimit {

/// The least number of insertions, deletions, substitutions and swaps of neighbours that turn a
/// into b (optimal string alignment distance).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// `word` is near enough to `valid` to be meant for it: a third of the letters may be wrong.
bool is_misspelling(std::string_view word, std::string_view valid);

/// "; did you mean 'stiffness'? Valid: damping, stiffness" — the first half only where a valid
/// word is near enough to be a misspelling, in whatever case. Of more than 30 valid words, too many
/// to be read, those that resemble `word`, if any, and how many there are; `all_of_them` is the
/// command that lists them.
std::string suggestion(std::string_view word, const std::vector<std::string>& valid,
                       std::string_view all_of_them = {});

}  // namespace rigidlimit
