// The systems that come with the library.
#pragma once

#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

const SystemCatalogue& builtin_systems();

/// The built-in systems and one's own, for run_command_line() and read_study().
SystemCatalogue with_builtin(SystemCatalogue own);

/// Whether the library brings this very system, not one of its name.
bool is_builtin(const SystemEntry& entry);

/// What a system that was once called `name` is called now, and what else is to be changed; empty:
/// there was none.
std::string renamed(const std::string& name);

/// Whether a system or a parameter can be called that, in TOML, SQL, CSV and names of files: a
/// letter, then letters, digits and '_', 80 at most.
bool is_name(const std::string& text);

/// Throws InputError, with what would be valid, where a study could not tell or use one of them:
/// two of one name, a name that is none, a parameter of such a name, lists of the wrong length.
void check_catalogue(const SystemCatalogue& systems);

}  // namespace rigidlimit
