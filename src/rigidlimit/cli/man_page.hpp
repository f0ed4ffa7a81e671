// The man page, from the texts of the help.
#pragma once

#include <string>

#include "rigidlimit/cli/program.hpp"

namespace rigidlimit {

/// roff with the macros of man(7); subcommands and options are those of the program.
std::string man_page(const Program& program);

}  // namespace rigidlimit
