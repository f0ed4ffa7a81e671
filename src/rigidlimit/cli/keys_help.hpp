// Reference of all keys: `rigidlimit help keys`, docs/keys.md.
#pragma once

#include <string>

namespace rigidlimit {

/// Tables of 100 columns. `subject`: empty (everything), a kind of file or a table, with or without
/// brackets. Throws InputError for another word.
std::string keys_text(const std::string& subject);

/// docs/keys.md.
std::string keys_page();

}  // namespace rigidlimit
