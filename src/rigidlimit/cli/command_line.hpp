// The command line: `rigidlimit SUBCOMMAND …`.
#pragma once

#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

/// Parses the arguments and runs the subcommand. Returns the exit status: 0 all expectations held
/// (or there were none), 1 not held, 2 could not run (bad input or arguments), 130 interrupted.
int run_command_line(int argc, const char* const* argv,
                     const SystemCatalogue& systems = builtin_systems());

}  // namespace rigidlimit
