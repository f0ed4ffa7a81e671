// Completion scripts, generated from the subcommands and options of the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/cli/argument_model.hpp"

namespace rigidlimit {

std::string bash_completion(const ProgramModel& model);
std::string zsh_completion(const ProgramModel& model);
std::string fish_completion(const ProgramModel& model);

/// `text` with a backslash before every backslash and every one of `characters`.
std::string backslashed(std::string_view text, std::string_view characters);

}  // namespace rigidlimit
