// The built-in systems.
#pragma once

#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

const SystemCatalogue& builtin_systems();

/// The built-in systems followed by `own`, for run_command_line() and read_rolling_study().
SystemCatalogue with_builtin(SystemCatalogue own);

/// Whether this entry itself is built in, not one of the same name.
bool is_builtin(const SystemEntry& entry);

/// Throws InputError, with the valid choices, if a study could not identify or use a system:
/// duplicate names, invalid names of systems or parameters, lists of the wrong length.
void check_catalogue(const SystemCatalogue& systems);

}  // namespace rigidlimit
