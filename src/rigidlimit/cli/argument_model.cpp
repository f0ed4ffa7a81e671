#include "rigidlimit/cli/argument_model.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace rigidlimit {

namespace {

using Value = ArgumentModel::Value;

/// The valid words in CLI11's description of a checked value: "FORMAT:{csv,json}".
std::vector<std::string> words_in(const std::string& type) {
  std::vector<std::string> words;
  const std::size_t colon = type.find(':');
  if (colon == std::string::npos || type[colon + 1] != '{' || type.back() != '}') return words;
  for (std::size_t at = colon + 2; at < type.size();) {
    const std::size_t end = std::min(type.find_first_of(",}", at), type.size());
    words.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

Value value_by_name(const std::string& name, bool positional) {
  if (name == "FILE") return positional ? Value::toml_file : Value::file;
  if (name == "DIR") return Value::directory;
  if (name == "KEY=VALUE") return Value::key;
  for (const char* store : {"STUDY", "STORE", "INTO"})
    if (name == store) return Value::store;
  return Value::anything;
}

ArgumentModel model_of(const CLI::Option& option,
                       const std::map<std::string, std::vector<std::string>>& words) {
  ArgumentModel a;
  a.positional = option.get_positional();
  if (a.positional)
    a.names = {option.get_name(true)};
  else
    for (const auto& [dashes, names] :
         {std::pair("-", option.get_snames()), std::pair("--", option.get_lnames())})
      for (const std::string& name : names) a.names.push_back(dashes + name);
  a.repeats = option.get_expected_max() > 1;
  if (!a.positional && option.get_items_expected_max() == 0) return a;  // a flag
  const std::string type = option.get_type_name();
  a.words = words_in(type);
  for (const std::string& name : a.names)
    if (const auto known = words.find(name); known != words.end() && a.words.empty())
      a.words = known->second;
  const std::string name = a.positional ? a.names[0] : type.substr(0, type.find(':'));
  a.value = a.words.empty() ? value_by_name(name, a.positional) : Value::words;
  return a;
}

SubcommandModel model_of(const Subcommand& subcommand) {
  const CLI::App& command = subcommand.command.app();
  SubcommandModel model{command.get_name(), command.get_description(), {}};
  for (const bool positional : {true, false})
    for (const CLI::Option* option : command.get_options())
      if (option->get_positional() == positional)
        model.arguments.push_back(model_of(*option, subcommand.choices));
  return model;
}

}  // namespace

ProgramModel model_of(const Program& program) {
  const CLI::App& app = *program.app;
  ProgramModel model{app.get_description(), {}, {}};
  for (const Subcommand& subcommand : program.subcommands)
    model.subcommands.push_back(model_of(subcommand));
  for (const CLI::Option* option : app.get_options())
    model.options.push_back(model_of(*option, {}));
  return model;
}

}  // namespace rigidlimit
