#include "rigidlimit/cli/argument_model.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace rigidlimit {

namespace {

using Value = ArgumentModel::Value;

/// Splits CLI11's description of a checked value, "FORMAT:{csv,json}", into name and valid words.
void read_type(const std::string& type, ArgumentModel& argument) {
  const std::size_t colon = type.find(':');
  argument.value_name = type.substr(0, colon);
  if (colon == std::string::npos || type[colon + 1] != '{' || type.back() != '}') return;
  for (std::size_t at = colon + 2; at < type.size();) {
    const std::size_t end = std::min(type.find_first_of(",}", at), type.size());
    argument.words.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  argument.checked = true;
}

Value value_by_name(const std::string& name, bool positional) {
  if (name == "FILE") return positional ? Value::toml_file : Value::file;
  if (name == "DIR") return Value::directory;
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
  a.text = option.get_description();
  a.otherwise = option.get_default_str();
  a.required = option.get_required();
  a.repeats = option.get_expected_max() > 1;
  if (!a.positional && option.get_items_expected_max() == 0) return a;  // a flag
  read_type(option.get_type_name(), a);
  for (const std::string& name : a.names)
    if (const auto known = words.find(name); known != words.end() && a.words.empty())
      a.words = known->second;
  a.value = a.words.empty() ? value_by_name(a.positional ? a.names[0] : a.value_name, a.positional)
                            : Value::words;
  return a;
}

SubcommandModel model_of(const Subcommand& subcommand, const CLI::App& program) {
  const CLI::App& command = subcommand.command.app();
  SubcommandModel model{command.get_name(), command.get_description(), command.get_footer(), {}};
  // CLI11 copies the footer of the program to subcommands without one.
  if (model.footer == program.get_footer()) model.footer.clear();
  for (const bool positional : {true, false})
    for (const CLI::Option* option : command.get_options())
      if (option->get_positional() == positional)
        model.arguments.push_back(model_of(*option, subcommand.choices));
  return model;
}

}  // namespace

ProgramModel model_of(const Program& program) {
  const CLI::App& app = *program.app;
  ProgramModel model{app.get_description(), app.get_footer(), {}, {}};
  for (const Subcommand& subcommand : program.subcommands)
    model.subcommands.push_back(model_of(subcommand, app));
  for (const CLI::Option* option : app.get_options())
    model.options.push_back(model_of(*option, {}));
  return model;
}

}  // namespace rigidlimit
