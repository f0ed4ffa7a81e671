// For zsh, with its function _arguments. A specification is quoted twice: for _arguments, in which
// ':' and brackets are special, and for the shell.
#include <fmt/format.h>

#include "rigidlimit/cli/completion.hpp"
#include "rigidlimit/core/shell_word.hpp"

namespace rigidlimit {

namespace {

using Value = ArgumentModel::Value;

constexpr const char* head = R"(#compdef rigidlimit
# Completion for zsh. Written by: rigidlimit completion zsh

)";

constexpr const char* begin = R"(_rigidlimit() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
)";

constexpr const char* tail = R"(      esac
      ;;
  esac
}

# Found along fpath, or sourced.
if [[ $funcstack[1] == _rigidlimit ]]; then
  _rigidlimit "$@"
else
  compdef _rigidlimit rigidlimit
fi
)";

/// Shell functions that add words, generated on demand.
class WordFunctions {
 public:
  std::string name_for(const std::vector<std::string>& words) {
    const std::string name = fmt::format("_rigidlimit_words_{}", ++count_);
    text_ += name + "() {\n  compadd \"$@\" -";
    for (const std::string& word : words) text_ += " " + shell_quoted(word);
    text_ += "\n}\n\n";
    return name;
  }
  const std::string& text() const { return text_; }

 private:
  int count_ = 0;
  std::string text_;
};

std::string action_of(const ArgumentModel& argument, WordFunctions& functions) {
  switch (argument.value) {
    case Value::words: return functions.name_for(argument.words);
    case Value::toml_file: return "_files -g \"*.toml\"";
    case Value::file: return "_files";
    case Value::directory: return "_files -/";
    case Value::store: return "_files -g \"*.db\"";
    case Value::none:
    case Value::anything: break;
  }
  return " ";
}

std::string positional_of(const ArgumentModel& a, WordFunctions& functions) {
  const char* colon = a.repeats ? "*:" : a.required ? ":" : "::";
  return shell_quoted(
      fmt::format("{}{}:{}", colon, backslashed(a.names[0], ":"), action_of(a, functions)));
}

std::string options_of(const ArgumentModel& a, WordFunctions& functions) {
  std::string text;
  for (const std::string& name : a.names) {
    std::string spec = (a.repeats ? "*" : "") + name;
    if (a.value != Value::none) spec += name.starts_with("--") ? "=" : "+";
    spec += "[" + backslashed(a.text, ":[]") + "]";
    if (a.value != Value::none)
      spec += ":" + backslashed(a.value_name, ":") + ":" + action_of(a, functions);
    text += " \\\n            " + shell_quoted(spec);
  }
  return text;
}

}  // namespace

std::string zsh_completion(const ProgramModel& model) {
  WordFunctions functions;
  std::string commands = "  commands=(\n", cases, top;
  for (const SubcommandModel& subcommand : model.subcommands) {
    commands += fmt::format(
        "    {}\n", shell_quoted(backslashed(subcommand.name, ":") + ":" + subcommand.text));
    cases += fmt::format("        {})\n          _arguments", shell_quoted(subcommand.name));
    for (const ArgumentModel& a : subcommand.arguments)
      cases += a.positional ? " \\\n            " + positional_of(a, functions)
                            : options_of(a, functions);
    cases += "\n          ;;\n";
  }
  for (const ArgumentModel& a : model.options) top += options_of(a, functions);
  return fmt::format(
      "{}{}{}{}  )\n  _arguments -C{} \\\n            ': :->command' "
      "'*:: :->argument'\n"
      "  case $state in\n    command) _describe -t commands command commands ;;\n"
      "    argument)\n      case $line[1] in\n{}{}",
      head, functions.text(), begin, commands, top, cases, tail);
}

}  // namespace rigidlimit
