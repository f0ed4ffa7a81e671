// The whole command line before anything is parsed: what help, man page and completion walk over.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "rigidlimit/cli/verb.hpp"

namespace rigidlimit {

struct Program {
  std::unique_ptr<CLI::App> app;  ///< subcommands: one a verb
  std::vector<Verb> verbs;
};

/// `systems` must outlive it.
Program make_program(const SystemCatalogue& systems);

/// In the order of the help.
std::vector<std::string> names_of(const Program& program);

}  // namespace rigidlimit
