// The whole command line before parsing, also as plain data: for the help and the completion.
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

/// An option, a flag or a positional argument.
struct ArgumentModel {
  enum class Value {
    none,       ///< a flag
    anything,   ///< a number, a text
    toml_file,  ///< a FILE to read
    file,       ///< another FILE
    directory,  ///< a DIR
    store,      ///< a directory of results or a database
    key,        ///< KEY=VALUE of an experiment file
    words       ///< one of `words`
  };

  std::vector<std::string> names;  ///< "-o", "--output"; a positional argument has one, "FILE"
  Value value = Value::none;
  std::vector<std::string> words;
  bool positional = false;
  bool repeats = false;
};

struct SubcommandModel {
  std::string name;
  std::string text;
  std::vector<ArgumentModel> arguments;  ///< positionals first, in the order of the help
};

struct ProgramModel {
  std::string text;
  std::vector<SubcommandModel> subcommands;
  std::vector<ArgumentModel> options;  ///< of the program itself
};

/// Reads the commands, their options and their valid values (checks and Subcommand::choices) from
/// the program. The kind of a value follows from its name: FILE (a TOML file if positional), DIR,
/// STUDY, STORE and INTO.
ProgramModel model_of(const Program& program);

}  // namespace rigidlimit
