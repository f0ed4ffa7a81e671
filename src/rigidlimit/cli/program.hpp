// The whole command line before anything is parsed: what help, man page and completion walk over.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/cli/subcommand.hpp"

namespace rigidlimit {

struct Program {
  std::shared_ptr<CLI::App> app;  ///< subcommands: one a subcommand
  std::vector<Subcommand> subcommands;
};

/// `systems` must outlive it. `name` is how the program is called in its help: that of a program
/// with systems of its own is another.
Program make_program(const SystemCatalogue& systems, const std::string& name = "rigidlimit");

/// Null where none has this name.
const Subcommand* find_subcommand(const Program& program, const std::string& name);

/// In the order of the help.
std::vector<std::string> names_of(const Program& program);

}  // namespace rigidlimit
