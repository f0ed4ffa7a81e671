#include "rigidlimit/cli/help/help_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "rigidlimit/experiment/judge/evidence.hpp"

namespace rigidlimit {

namespace {

struct Explanations {
  std::vector<Explanation> all;
  std::map<std::string, std::vector<MarkdownBlock>> shared;  ///< by group
};

/// A heading of level 3 is a word; the heading of level 2 above it is its group.
Explanations read_verdicts() {
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
  static const Explanations read = read_verdicts();
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
  const Evidence status = evidence_named(name);
  const Outcome failed = status.compliant != Outcome::success ? status.compliant : status.rigid;
  return find(failed != Outcome::success ? name_of(failed) : name_of(status.absent));
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

namespace {

/// The meanings of the verdicts, the first group of words.
std::vector<MarkdownBlock> list_of_verdicts() {
  std::vector<MarkdownBlock> list;
  for (const Explanation& e : explanations())
    if (e.group == explanations().front().group)
      list.push_back({MarkdownBlock::Kind::bullet, fmt::format("{}: {}", e.name, e.meaning())});
  return list;
}

std::vector<Topic> read_topics() {
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
  static const std::vector<Topic> all = read_topics();
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
