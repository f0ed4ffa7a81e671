// Parsing of the command line, with error messages in the style of the program.
#pragma once

#include "rigidlimit/cli/program.hpp"

namespace rigidlimit {

/// The requested subcommand with its arguments; nullptr after --help or --version, which are
/// printed here. Throws InputError: "--resutls: no option of 'rigidlimit run'; did you mean
/// '--results'? …", with the command that prints the help.
const Subcommand* parse(const Program& program, int argc, const char* const* argv);

}  // namespace rigidlimit
