// The parsed text behind TomlDocument and Section: the only files that see toml++.
#pragma once

#include <toml++/toml.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "rigidlimit/study/toml_section.hpp"

namespace rigidlimit {

/// Throws InputError: on one line, and without what a terminal would obey, whatever the file has.
[[noreturn]] void refuse(const std::string& message, const std::string& where);

/// "file.toml:12:9", or the name alone where the position is not known.
std::string place(const std::string& name, const toml::source_position& at);

struct TomlDocument::Content {
  std::string name;
  std::string text;  ///< as it was read
  toml::table table;
  std::map<std::string, std::string> set_texts;  ///< dotted key -> the --set option that wrote it

  /// Where the value of `path` was written: the override that set it (or a table around it), else
  /// the place of `node`.
  std::string where(const std::string& path, const toml::node* node) const;

  /// Likewise of the character at `offset` of a string that begins at `begin`; without an offset
  /// of `begin` itself.
  std::string where(const std::string& path, const toml::source_position& begin,
                    std::optional<std::size_t> offset) const;

  /// The override that set `path`, or a table around it; nullptr: none.
  const std::string* override_of(const std::string& path) const;
};

}  // namespace rigidlimit
