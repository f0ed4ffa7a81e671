// Names in a file that become names of directories and labels in tables.
#pragma once

#include <string>

namespace rigidlimit {

/// Why a text is not a directory name below results/; empty: it is one, 1 to 200 ASCII letters,
/// digits, '_', '-' and '.', of which the first is a letter, a digit or '_'. Such a name is never
/// "..", hidden or an option of a command, and is the same on every file system.
std::string fault_in_directory_name(const std::string& name);

/// Why a text is not a label in tables, CSV files and figure names; empty: it is one, 1 to 80 ASCII
/// letters, digits, inner blanks and any of "_-+.:=()". Such a label needs no quotes anywhere.
std::string fault_in_label(const std::string& label);

}  // namespace rigidlimit
