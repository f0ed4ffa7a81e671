// The text of a template that `init` writes.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "rigidlimit/cli/file_keys.hpp"
#include "rigidlimit/cli/wrapped_text.hpp"
#include "rigidlimit/mechanics/description.hpp"

namespace rigidlimit {

/// A TOML file built line by line, with comments in a column. The comment of a key is its
/// declaration, unless another one is given.
class TemplatePage {
 public:
  /// `kind`: the name of the kind of file among keys_of_files().
  explicit TemplatePage(const std::string& kind) {
    for (const FileKeys& file : keys_of_files())
      if (file.name == kind) keys_ = file.log.declared();
  }
  void table(const std::string& name, const std::string& comment = "") {
    text_ += '\n';
    line(fmt::format("[{}]", name), comment);
    table_ = name;
  }
  /// One table [[name]].
  void list_entry(const std::string& name) { table(fmt::format("[{}]", name)); }
  void key(const std::string& key, const std::string& value) {
    this->key(key, value, comment_of(declared(key)));
  }
  void usual(const std::string& key, const std::string& value) {
    const DeclaredKey& of_key = declared(key);
    usual(key, value,
          comment_of(of_key) + (of_key.is_computed ? "; default " + of_key.otherwise : ""));
  }
  void key(const std::string& key, const std::string& value, const std::string& comment) {
    line(fmt::format("{} = {}", key, value), comment);
  }
  /// A key with its default value, commented out.
  void usual(const std::string& key, const std::string& value, const std::string& comment) {
    line(fmt::format("#{} = {}", key, value), comment);
  }
  void line(const std::string& content, const std::string& comment = "") {
    std::istringstream lines(wrapped(comment, 0, comment_width));
    std::string first;
    if (!std::getline(lines, first))
      text_ += content;
    else
      text_ += fmt::format("{:<28} # {}", content, first);
    text_ += '\n';
    for (std::string next; std::getline(lines, next);)
      text_ += fmt::format("{:<28} # {}\n", "", next);
  }
  /// Comment lines.
  void prose(const std::string& words) {
    std::istringstream lines(wrapped(words, 0, 90));
    for (std::string next; std::getline(lines, next);) line("# " + next);
  }
  const std::string& text() const { return text_; }

 private:
  static constexpr std::size_t comment_width = 69;

  const DeclaredKey& declared(const std::string& name) const {
    const auto at = std::ranges::find_if(
        keys_, [&](const DeclaredKey& key) { return key.table == table_ && key.name == name; });
    if (at == keys_.end()) throw std::logic_error("not a key of [" + table_ + "]: " + name);
    return *at;
  }
  /// "s, end T of the motion"; a choice with its words.
  static std::string comment_of(const DeclaredKey& key) {
    const bool shows_unit = !key.unit.empty() && key.unit != "1" && key.unit != "SI";
    return (shows_unit ? key.unit + ", " : "") + key.text +
           (key.values.starts_with('"') ? fmt::format(" ({})", key.values) : "");
  }

  std::string text_;
  std::string table_;
  std::vector<DeclaredKey> keys_;
};

/// "x [m], phi [rad]".
inline std::string units_after_names(const std::vector<Component>& components) {
  std::vector<std::string> texts;
  for (const Component& c : components) texts.push_back(fmt::format("{} [{}]", c.name, c.unit));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace rigidlimit
