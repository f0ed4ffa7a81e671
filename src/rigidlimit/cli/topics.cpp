#include "rigidlimit/cli/topics.hpp"

#include <algorithm>

#include "rigidlimit/cli/wrapped_text.hpp"

namespace rigidlimit {

const Topic* find_topic(std::string_view name) {
  const auto at = std::ranges::find(topics(), name, &Topic::name);
  return at == topics().end() ? nullptr : &*at;
}

std::vector<std::string> blocks_of(const Topic& topic) {
  std::vector<std::string> blocks;
  for (std::size_t at = 0; at < topic.text.size();) {
    const std::size_t end = std::min(topic.text.find("\n\n", at), topic.text.size());
    blocks.push_back(topic.text.substr(at, end - at));
    at = std::min(topic.text.find_first_not_of('\n', end), topic.text.size());
  }
  return blocks;
}

bool is_verbatim(std::string_view block) {
  return block.starts_with("  ");
}

std::string text_of(const Topic& topic) {
  std::string text = topic.title + "\n";
  for (const std::string& block : blocks_of(topic))
    text += "\n" + (is_verbatim(block) ? block.substr(0, block.find_last_not_of('\n') + 1) + "\n"
                                       : wrapped(block));
  return text;
}

}  // namespace rigidlimit
