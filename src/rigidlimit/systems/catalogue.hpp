// The systems that come with the library.
#pragma once

#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

const SystemCatalogue& builtin_systems();

/// The built-in systems and one's own, for run_command_line() and read_study().
SystemCatalogue with_builtin(SystemCatalogue own);

}  // namespace rigidlimit
