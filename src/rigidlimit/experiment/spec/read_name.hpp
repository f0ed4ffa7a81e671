// The names that a file gives: to a directory, and in tables.
#pragma once

#include <string>

#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// The text `key`, which must be there, as the name of a directory under results/: 1 to 200 letters
/// and digits of ASCII, '_', '-' and '.', the first of them a letter, a digit or '_'. So it is no
/// "..", nothing hidden, no option of a command, and the same on every file system.
std::string read_directory_name(Section& section, const std::string& key);

/// The text `key` as the name of something in tables, CSV files and names of figures: 1 to 80
/// letters and digits of ASCII, blanks and any of "_-+.:=()". Such a name needs no quotes anywhere.
std::string read_label(Section& section, const std::string& key, const std::string& otherwise);

}  // namespace rigidlimit
