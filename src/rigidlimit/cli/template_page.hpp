// The text of a template that `init` writes.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>
#include <string>
#include <vector>

#include "rigidlimit/cli/wrapped_text.hpp"
#include "rigidlimit/mechanics/description.hpp"

namespace rigidlimit {

/// A TOML file built line by line, with comments in a column.
class TemplatePage {
 public:
  void table(const std::string& name, const std::string& comment = "") {
    text_ += '\n';
    line(fmt::format("[{}]", name), comment);
  }
  void key(const std::string& key, const std::string& value, const std::string& comment) {
    line(fmt::format("{} = {}", key, value), comment);
  }
  /// A key with its default value, commented out.
  void usual(const std::string& key, const std::string& value, const std::string& comment) {
    line(fmt::format("#{} = {}", key, value), comment);
  }
  void line(const std::string& content, const std::string& comment = "") {
    text_ += comment.empty() ? content : fmt::format("{:<28} # {}", content, comment);
    text_ += '\n';
  }
  /// Comment lines.
  void prose(const std::string& words) {
    std::istringstream lines(wrapped(words, 0, 90));
    for (std::string next; std::getline(lines, next);) line("# " + next);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// "x [m], phi [rad]".
inline std::string units_after_names(const std::vector<Component>& components) {
  std::vector<std::string> texts;
  for (const Component& c : components) texts.push_back(fmt::format("{} [{}]", c.name, c.unit));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace rigidlimit
