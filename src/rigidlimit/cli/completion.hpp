// Completion scripts, written from the program's own subcommands and options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/cli/argument_model.hpp"

namespace rigidlimit {

std::string bash_completion(const ProgramModel& model);
std::string zsh_completion(const ProgramModel& model);
std::string fish_completion(const ProgramModel& model);

/// `text` in single quotes, for sh, bash and zsh: nothing in it is expanded.
std::string shell_quoted(std::string_view text);

/// `text` with every character of `characters`, and every backslash, behind a backslash.
std::string backslashed(std::string_view text, std::string_view characters);

}  // namespace rigidlimit
