// For fish 3. The shell evaluates the argument of -a once more, so words in it are quoted twice.
#include <fmt/format.h>

#include "rigidlimit/cli/completion.hpp"

namespace rigidlimit {

namespace {

using Value = ArgumentModel::Value;

constexpr const char* head = R"(# Completion for fish. Written by: rigidlimit completion fish

# True while command $argv[1] is being typed; without an argument, before any.
function __rigidlimit_at
    set -l typed (commandline -opc)
    if test (count $argv) -eq 0
        test (count $typed) -eq 1
    else
        test (count $typed) -ge 2; and test "$typed[2]" = "$argv[1]"
    end
end

complete -c rigidlimit -f
)";

/// Fish has two escapes inside single quotes.
std::string fish_quoted(std::string_view text) {
  return "'" + backslashed(text, "'") + "'";
}

/// The argument of -a that generates the candidates; empty: none.
std::string candidates_of(const ArgumentModel& argument) {
  switch (argument.value) {
    case Value::words: {
      std::string list;
      for (const std::string& word : argument.words)
        list += (list.empty() ? "" : " ") + fish_quoted(word);
      return " -a " + fish_quoted(list);
    }
    case Value::toml_file: return " -k -a '(__fish_complete_suffix .toml)'";
    case Value::store: return " -k -a '(__fish_complete_suffix .db)'";
    case Value::directory: return " -a '(__fish_complete_directories)'";
    case Value::file: return " -F";
    case Value::none:
    case Value::anything: break;
  }
  return "";
}

std::string line_of(const std::string& condition, const ArgumentModel& a) {
  std::string line = "complete -c rigidlimit -n " + fish_quoted(condition);
  if (!a.positional)
    for (const std::string& name : a.names)
      line += name.starts_with("--") ? " -l " + fish_quoted(name.substr(2))
                                     : " -s " + fish_quoted(name.substr(1));
  if (!a.positional && a.value != Value::none) line += a.value == Value::file ? " -r" : " -x";
  return line + candidates_of(a) + " -d " + fish_quoted(a.text) + "\n";
}

}  // namespace

std::string fish_completion(const ProgramModel& model) {
  std::string text = head;
  for (const SubcommandModel& subcommand : model.subcommands)
    text += fmt::format("complete -c rigidlimit -n '__rigidlimit_at' -a {} -d {}\n",
                        fish_quoted(subcommand.name), fish_quoted(subcommand.text));
  for (const ArgumentModel& a : model.options) text += line_of("__rigidlimit_at", a);
  for (const SubcommandModel& subcommand : model.subcommands)
    for (const ArgumentModel& a : subcommand.arguments)
      text += line_of("__rigidlimit_at " + subcommand.name, a);
  return text;
}

}  // namespace rigidlimit
