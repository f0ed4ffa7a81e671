// The parsed text behind TomlDocument and Section: the only files that see toml++.
#pragma once

#include <toml++/toml.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// Throws InputError: on one line, and without what a terminal would obey, whatever the file has.
[[noreturn]] void refuse(const std::string& message, const std::string& where);

/// "file.toml:12:9": of the file of a document in which it stands.
std::string place(const toml::source_region& source);

/// Bytes of a text, with those of its bases. The longest of experiments/ has a few thousand.
constexpr std::size_t longest_text = 4'000'000;

/// One text alone. Throws InputError for what is no TOML, too long or too deep.
toml::table parsed(const std::string& text, const std::string& name);

struct TomlDocument::Content {
  std::string name;                          ///< of the file that was asked for
  std::map<std::string, std::string> texts;  ///< as they were read: its own and its bases', by name
  toml::table table;
  Alternatives alternatives;
  std::map<std::string, std::string> set_texts;  ///< dotted key -> the --set option that wrote it

  /// Where the value of `path` was written: the override that set it (or a table around it), else
  /// the place of `node`.
  std::string where(const std::string& path, const toml::node* node) const;

  /// Likewise of the character at `offset` of a string that begins at `source`; without an offset
  /// of `source` itself.
  std::string where(const std::string& path, const toml::source_region& source,
                    std::optional<std::size_t> offset) const;

  /// The name of the file in which the value of `path` stands: that of this document's own for what
  /// an override set.
  std::string file_of(const std::string& path, const toml::node& value) const;

  /// The override that set `path`, or a table around it; nullptr: none.
  const std::string* override_of(const std::string& path) const;
};

}  // namespace rigidlimit
