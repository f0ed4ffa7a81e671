// The subcommands of the command line. A new one is a file that defines `add_NAME`, and its name in
// the two lists at the end of this file.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rigidlimit/cli/command.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// Valid words by argument or option.
using ArgumentWords = std::map<std::string, std::vector<std::string>>;

struct Subcommand {
  Command command;              ///< its options and its help
  std::function<int()> action;  ///< runs it after the parse; returns the exit status
  /// Valid values of an argument ("NAME") or option ("--system"), for the completion, where the
  /// command has no check that lists them. A function: some words are files on the disk.
  std::function<ArgumentWords()> choices = {};
};

/// Adds a subcommand to the program: its texts, which are the help and the completion, and its
/// action, which owns the parsed options.
using AddSubcommand = Subcommand(CLI::App& program, const SystemCatalogue& systems);

AddSubcommand add_run, add_check, add_stiffness, add_joint, add_expand, add_prove, add_export,
    add_export_problem, add_report, add_archive, add_reproduce, add_merge, add_list, add_describe,
    add_explain, add_init, add_help, add_completion;

/// In the order of the help.
inline constexpr std::array<AddSubcommand*, 18> subcommands{
    add_run,    add_check,          add_stiffness, add_joint,   add_expand,    add_prove,
    add_export, add_export_problem, add_report,    add_archive, add_reproduce, add_merge,
    add_list,   add_describe,       add_explain,   add_init,    add_help,      add_completion};

}  // namespace rigidlimit
