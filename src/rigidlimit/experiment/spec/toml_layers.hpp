// base = "other.toml": a file that says only what it has otherwise than another.
#pragma once

#include <string>

#include "rigidlimit/experiment/spec/toml_content.hpp"

namespace rigidlimit {

/// Parses `text` and puts what it names as its base under it, and the base of that, and so on; the
/// texts go to `content`. The table that results has neither `base` nor `without`, and each of its
/// nodes and keys keeps the place where it stands.
///
///   base = "../convergence/wheel.toml"         # relative to the folder of this file
///   without = ["expect", "contact.damping"]    # keys of the base that are not taken over
///
/// Of two tables of one name, the keys are merged, those of `text` over those of the base, and so
/// down through their tables; any other value, lists and lists of tables among them, is replaced as
/// a whole. What `alternatives` names beside a key of `text` is not taken over either. Of a list of
/// bases, each is laid over those before it.
///
/// `text_of`: reads the bases; without it `text` may have none. Throws InputError where `base` or
/// `without` stands: no text or file, a file of another kind, a file that is its own base, more
/// than 16 files or 4 000 000 bytes together; a key of `without` that the base has not.
toml::table table_with_base(const std::string& text, const std::string& name,
                            const TextOfPath& text_of, const Alternatives& alternatives,
                            TomlDocument::Content& content);

}  // namespace rigidlimit
