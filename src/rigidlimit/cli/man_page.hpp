// The man page, from the same texts as the help.
#pragma once

#include <string>

#include "rigidlimit/cli/program.hpp"

namespace rigidlimit {

/// roff with the macros of man(7). Verbs, options and their texts are those of the program.
std::string man_page(const Program& program);

}  // namespace rigidlimit
