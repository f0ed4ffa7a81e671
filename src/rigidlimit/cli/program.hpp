// The whole command line before parsing, for the help and the completion.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/cli/subcommand.hpp"

namespace rigidlimit {

struct Program {
  std::shared_ptr<CLI::App> app;  ///< with one CLI11 subcommand for each subcommand
  std::vector<Subcommand> subcommands;
};

/// `systems` must outlive it. `name`: the program's name in its help, which differs for a program
/// with user-defined systems.
Program make_program(const SystemCatalogue& systems, const std::string& name = "rigidlimit");

/// nullptr: no subcommand of this name.
const Subcommand* find_subcommand(const Program& program, const std::string& name);

/// In the order of the help.
std::vector<std::string> names_of(const Program& program);

}  // namespace rigidlimit
