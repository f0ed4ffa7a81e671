// base = "other.toml": a file that contains only its differences from another file.
#pragma once

#include <string>

#include "rigidlimit/toml/content.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// The keys of a file with a base; the merged table has neither.
inline constexpr const char *base_key = "base", *without_key = "without";

/// Parses `text` and merges it over its base, the base of that, and so on. The texts are stored in
/// `content`. The resulting table has neither `base` nor `without`, and each node and key keeps its
/// original place.
///
///   base = "../convergence/wheel.toml"         # relative to the folder of this file; or "wheel":
///                                              # wheel.toml of this folder, or else the shipped
///                                              one
///   without = ["expect", "contact.damping"]    # keys of the base that are dropped
///
/// Tables of the same name are merged recursively, and keys of `text` override those of the base.
/// Any other value, including lists and lists of tables, is replaced as a whole. A key of `text`
/// also drops the keys of the base that `alternatives` lists for it. Each base in a list is merged
/// over the bases before it.
///
/// `text_of` reads the bases; without it `text` must have none. Throws InputError at `base` or
/// `without` for a value that is not a text, a file that cannot be read, a file of another kind, a
/// circular base, more than 16 files or 4 000 000 bytes together, or a key of `without` that the
/// base does not have.
toml::table table_with_base(const std::string& text, const std::string& name,
                            const TextOfPath& text_of, const Alternatives& alternatives,
                            TomlDocument::Content& content);

}  // namespace rigidlimit
