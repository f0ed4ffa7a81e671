#include "rigidlimit/cli/topics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/cli/embedded_pages.hpp"
#include "rigidlimit/cli/explanations.hpp"

namespace rigidlimit {

namespace {

/// The meanings of the verdicts, the first group of words.
std::vector<MarkdownBlock> list_of_verdicts() {
  std::vector<MarkdownBlock> list;
  for (const Explanation& e : explanations())
    if (e.group == explanations().front().group)
      list.push_back({MarkdownBlock::Kind::bullet, fmt::format("{}: {}", e.name, e.meaning())});
  return list;
}

std::vector<Topic> read_page() {
  std::vector<Topic> all;
  for (MarkdownSection& section : sections_of(help_page)) {
    if (section.level != 2) continue;
    const std::size_t colon = section.title.find(": ");
    all.push_back({section.title.substr(0, colon), section.title.substr(colon + 2),
                   std::move(section.blocks)});
    if (auto& [name, title, blocks] = all.back(); name == "verdicts") {
      const std::vector<MarkdownBlock> list = list_of_verdicts();
      blocks.insert(blocks.begin() + 1, list.begin(), list.end());
    }
  }
  return all;
}

}  // namespace

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = read_page();
  return all;
}

const Topic* find_topic(std::string_view name) {
  const auto at = std::ranges::find(topics(), name, &Topic::name);
  return at == topics().end() ? nullptr : &*at;
}

std::string text_of(const Topic& topic) {
  return fmt::format("{}\n\n{}", topic.title, terminal_text(topic.blocks));
}

}  // namespace rigidlimit
