// The parsed text behind TomlDocument and Section. Only files that include this header use toml++.
#pragma once

#include <toml++/toml.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "rigidlimit/toml/section.hpp"

namespace rigidlimit {

/// Throws InputError with a message on one line, without the control characters of `message`.
[[noreturn]] void refuse(const std::string& message, const std::string& where);

/// "file.toml:12:9".
std::string place(const toml::source_region& source);

/// Maximum size of a text and all its bases, bytes. The longest in experiments/ has a few thousand.
constexpr std::size_t longest_text = 4'000'000;

/// Parses one text without its bases. Throws InputError if it is not TOML, too long or too deep.
toml::table parsed(const std::string& text, const std::string& name);

struct TomlDocument::Content {
  std::string name;                          ///< of the requested file
  std::map<std::string, std::string> texts;  ///< text of the file and of each base, by name
  toml::table table;
  Alternatives alternatives;
  std::map<std::string, std::string> set_texts;  ///< dotted key -> the --set option that set it
  bool is_record = false;                        ///< TomlDocument::from_record()

  /// Origin of the value of `path`: the override that set it (or a table around it), else the place
  /// of `node`.
  std::string where(const std::string& path, const toml::node* node) const;

  /// Origin of the character at `offset` of a string that begins at `source`; without an offset, of
  /// `source` itself.
  std::string where(const std::string& path, const toml::source_region& source,
                    std::optional<std::size_t> offset) const;

  /// Name of the file that contains the value of `path`; for a value set by an override, the name
  /// of this document.
  std::string file_of(const std::string& path, const toml::node& value) const;

  /// The override that set `path` or a table around it; nullptr: none.
  const std::string* override_of(const std::string& path) const;
};

}  // namespace rigidlimit
