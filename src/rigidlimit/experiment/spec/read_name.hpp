// Names in a file that become names of directories and labels in tables.
#pragma once

#include <string>

#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// The required text of a key as a directory name below results/: 1 to 200 ASCII letters, digits,
/// '_',
/// '-' and '.'; the first character is a letter, a digit or '_'. Such a name is never "..", hidden
/// or an option of a command, and is the same on every file system.
std::string read_directory_name(Section& section, const Key& declared);

/// The text of a key as a label in tables, CSV files and figure names: 1 to 80 ASCII letters,
/// digits, blanks and any of "_-+.:=()". Such a label needs no quotes anywhere.
std::string read_label(Section& section, const Key& declared, const std::string& otherwise);

}  // namespace rigidlimit
