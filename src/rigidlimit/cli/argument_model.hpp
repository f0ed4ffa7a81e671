// The command line as plain values, for what is written from it: completions and the man page.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/cli/program.hpp"

namespace rigidlimit {

/// An option, a flag or a positional argument.
struct ArgumentModel {
  enum class Value {
    none,       ///< a flag
    anything,   ///< a number, a text
    toml_file,  ///< a FILE that is read
    file,       ///< any other FILE
    directory,  ///< a DIR
    store,      ///< a directory of results, or a database
    words       ///< one of `words`
  };

  std::vector<std::string> names;  ///< "-o", "--output"; a positional has one, "FILE"
  std::string text;
  std::string value_name;  ///< "FORMAT"; empty for a flag
  std::string otherwise;   ///< the default that the help shows; empty: none
  Value value = Value::none;
  std::vector<std::string> words;
  bool checked = false;  ///< nothing but `words` is taken
  bool positional = false;
  bool repeats = false;
  bool required = false;
};

struct SubcommandModel {
  std::string name;
  std::string text;
  std::string footer;
  std::vector<ArgumentModel> arguments;  ///< positionals first, in the order of the help
};

struct ProgramModel {
  std::string text;
  std::string footer;
  std::vector<SubcommandModel> subcommands;
  std::vector<ArgumentModel> options;  ///< of the program itself
};

/// Walks the program: commands, their options, what their checks and Subcommand::words allow. What
/// a value is goes by its name: FILE (a study where it is an argument), DIR, STUDY, STORE and INTO.
ProgramModel model_of(const Program& program);

}  // namespace rigidlimit
