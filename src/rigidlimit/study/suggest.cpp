#include "rigidlimit/study/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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
  // The distance is at least the difference of the lengths: no table for a key of a megabyte.
  const auto [shorter, longer] = std::minmax({word.size(), valid.size()});
  if (longer - shorter > tolerated) return false;
  return edit_distance(word, valid) <= tolerated;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& valid) {
  const std::string* best = nullptr;
  std::size_t least = 0;
  for (const std::string& candidate : valid) {
    if (!is_misspelling(word, candidate)) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (best && distance >= least) continue;
    best = &candidate;
    least = distance;
  }
  std::string text;
  if (best) text = fmt::format("; did you mean '{}'?", *best);
  if (valid.empty()) return text;
  return fmt::format("{} Valid: {}", text.empty() ? "." : text, fmt::join(valid, ", "));
}

}  // namespace rigidlimit
