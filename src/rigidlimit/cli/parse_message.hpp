// What the option parser refuses, in the words that everything else is refused in.
#pragma once

#include <string>

#include "rigidlimit/cli/program.hpp"

namespace rigidlimit {

/// "--resutls: no option of 'rigidlimit run'; did you mean '--results'? …" for an error of
/// program.app->parse(); how to ask for help is part of it.
std::string message_of(const CLI::ParseError& error, const Program& program);

}  // namespace rigidlimit
