#include "rigidlimit/cli/explanations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "rigidlimit/cli/embedded_pages.hpp"

namespace rigidlimit {

namespace {

struct Explanations {
  std::vector<Explanation> all;
  std::map<std::string, std::vector<MarkdownBlock>> shared;  ///< by group
};

/// A heading of level 3 is a word; the heading of level 2 above it is its group.
Explanations read_page() {
  Explanations read;
  std::string group;
  for (MarkdownSection& section : sections_of(verdicts_page)) {
    if (section.level == 3) {
      read.all.push_back({std::move(section.title), group, std::move(section.blocks)});
    } else {
      group = section.title;
      read.shared[group] = std::move(section.blocks);
    }
  }
  return read;
}

const Explanations& read_explanations() {
  static const Explanations read = read_page();
  return read;
}

}  // namespace

const std::vector<Explanation>& explanations() {
  return read_explanations().all;
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
  const std::string group = static_cast<char>(std::tolower(e.group[0])) + e.group.substr(1);
  return fmt::format("{} ({})\n\n{}\n{}", e.name, group, terminal_text(e.blocks),
                     terminal_text(read_explanations().shared.at(e.group)));
}

}  // namespace rigidlimit
