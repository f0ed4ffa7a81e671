// The command line is read, and what is refused is refused in the words of everything else.
#pragma once

#include "rigidlimit/cli/program.hpp"

namespace rigidlimit {

/// The subcommand that was asked for, its arguments read; null where the help or the version was,
/// which are printed then. Throws InputError: "--resutls: no option of 'rigidlimit run'; did you
/// mean
/// '--results'? …", and how to ask for help.
const Subcommand* parse(const Program& program, int argc, const char* const* argv);

}  // namespace rigidlimit
