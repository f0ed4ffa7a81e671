#include "rigidlimit/core/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace rigidlimit {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> d((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return d[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return at(a.size(), b.size());
}

bool is_misspelling(std::string_view word, std::string_view valid) {
  const std::size_t tolerated = std::max<std::size_t>(1, std::max(word.size(), valid.size()) / 3);
  // "cosine" for cos, "damp" for damping.
  const std::string_view shortest = word.size() < valid.size() ? word : valid;
  if (shortest.size() >= 3 && word.substr(0, shortest.size()) == valid.substr(0, shortest.size()) &&
      std::max(word.size(), valid.size()) <= 4 * shortest.size())
    return true;
  // The distance is at least the difference of the lengths: avoids a table for a key of a megabyte.
  const auto [shorter, longer] = std::minmax({word.size(), valid.size()});
  if (longer - shorter > tolerated) return false;
  return edit_distance(word, valid) <= tolerated;
}

namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

constexpr std::size_t most_listed = 30;  // valid words: five lines
constexpr std::size_t most_resembling = 6;

/// Likely candidates among many words: misspellings or substrings of each other, nearest first.
std::vector<std::string> resembling(std::string_view word, const std::vector<std::string>& valid) {
  const std::string given = lower_case(word);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& candidate : valid) {
    const std::string other = lower_case(candidate);
    const bool part = given.size() >= 3 && (other.find(given) != std::string::npos ||
                                            given.find(other) != std::string::npos);
    if (part || is_misspelling(given, other))
      found.emplace_back(edit_distance(given.substr(0, 100), other), candidate);
  }
  std::ranges::sort(found);
  std::vector<std::string> words;
  for (const auto& [distance, name] : found)
    if (words.size() < most_resembling) words.push_back(name);
  return words;
}

/// The nearest word of which `word` may be a misspelling, or null.
const std::string* nearest(std::string_view word, const std::vector<std::string>& valid) {
  const std::string given = lower_case(word);
  const std::string* best = nullptr;
  std::size_t least = 0;
  for (const std::string& candidate : valid) {
    const std::string other = lower_case(candidate);
    if (!is_misspelling(given, other)) continue;
    const std::size_t distance = edit_distance(given, other);
    if (best && distance >= least) continue;
    best = &candidate;
    least = distance;
  }
  return best;
}

}  // namespace

std::string suggestion(std::string_view word, const std::vector<std::string>& valid,
                       std::string_view all_of_them) {
  if (valid.empty()) return "";
  const std::string* best = nearest(word, valid);
  std::string text = best ? fmt::format("; did you mean '{}'?", *best) : ".";
  if (valid.size() <= most_listed) return fmt::format("{} Valid: {}", text, fmt::join(valid, ", "));
  if (const auto near = resembling(word, valid); near.size() > (best ? 1U : 0U))
    text += fmt::format(" Similar: {}.", fmt::join(near, ", "));
  text += fmt::format(" {} are known", valid.size());
  return all_of_them.empty() ? text : text + fmt::format(": '{}'", all_of_them);
}

}  // namespace rigidlimit
