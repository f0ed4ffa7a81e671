#include "rigidlimit/cli/explanations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "rigidlimit/cli/wrapped_text.hpp"

namespace rigidlimit {

const std::vector<Explanation>& explanations() {
  static const std::vector<Explanation> all = [] {
    std::vector<Explanation> list;
    for (auto* part :
         {explained_verdicts, explained_rows, explained_bounds_and_studies, explained_outcomes})
      std::ranges::move(part(), std::back_inserter(list));
    return list;
  }();
  return all;
}

const Explanation* find_explanation(std::string_view name) {
  const auto find = [](std::string_view word) {
    const auto at = std::ranges::find(explanations(), word, &Explanation::name);
    return at == explanations().end() ? nullptr : &*at;
  };
  if (const Explanation* whole = find(name)) return whole;
  for (const std::string_view before : {"failed: rigid ", "failed: "})
    if (name.starts_with(before)) return find(name.substr(before.size()));
  return nullptr;
}

std::vector<std::string> names_of_explanations() {
  std::vector<std::string> names;
  for (const Explanation& e : explanations()) names.push_back(e.name);
  return names;
}

std::string text_of(const Explanation& e) {
  return fmt::format("{} ({})\n\n{}\nHow it is decided:\n{}\nWhat to do next:\n{}\n  {}\n", e.name,
                     e.what, wrapped(e.means), wrapped(e.decided, 2), wrapped(e.next, 2),
                     e.example);
}

}  // namespace rigidlimit
