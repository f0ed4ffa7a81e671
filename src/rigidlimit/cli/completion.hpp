// The completion script of bash, generated from the subcommands and options of the program.
#pragma once

#include <string>

#include "rigidlimit/cli/program.hpp"

namespace rigidlimit {

std::string bash_completion(const ProgramModel& model);

}  // namespace rigidlimit
