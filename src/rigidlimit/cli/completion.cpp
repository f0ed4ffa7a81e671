// The subcommand `completion`: a script for bash 4 and later. The script compares words itself,
// since compgen -W would expand them.
#include "rigidlimit/cli/completion.hpp"

#include <fmt/format.h>

#include <memory>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/help/keys_help.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/core/shell_word.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/toml/shipped_studies.hpp"

namespace rigidlimit {

namespace {

using Completes = ArgumentModel::Value;

constexpr const char* begin = R"(# Completion for bash. Written by: rigidlimit completion bash

# The keys of experiment files.
_rigidlimit_keys() {
  what=key words=()";

constexpr const char* head = R"()
}

# Sets `what` and `words` to what may stand behind option $2 of command $1; false where it takes
# no value.
_rigidlimit_value() {
  case "$1 $2" in
)";

constexpr const char* middle = R"(    *) return 1 ;;
  esac
}

# The same for argument number $2 of command $1, from 0.
_rigidlimit_argument() {
  case "$1 $2" in
)";

constexpr const char* tail = R"(  esac
}

_rigidlimit() {
  local current=${COMP_WORDS[COMP_CWORD]} subcommand=${COMP_WORDS[1]} option='' what='' word quoted
  local -i place=0 i at=COMP_CWORD-1
  local -a words=()
  COMPREPLY=()
  # "--format=csv" comes as three words, and so does the "time.after=0.5" of --set.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ ${COMP_WORDS[at]} == '=' ]]; then
    at+=-1
  fi
  option=${COMP_WORDS[at]}
  if ((at > 2)) && _rigidlimit_value "$subcommand" "${COMP_WORDS[at - 1]}" && [[ $what == key ]]; then
    return
  fi
  words=() what=''
  if ((COMP_CWORD == 1)); then
    _rigidlimit_options ''
  elif ((COMP_CWORD > 2)) && _rigidlimit_value "$subcommand" "$option"; then
    :
  elif [[ $current == -* ]]; then
    _rigidlimit_options "$subcommand"
  else
    for ((i = 2; i < COMP_CWORD; ++i)); do
      if _rigidlimit_value "$subcommand" "${COMP_WORDS[i]}"; then
        i+=1
        [[ ${COMP_WORDS[i]} == '=' ]] && i+=1
        [[ $what == key && ${COMP_WORDS[i + 1]} == '=' ]] && i+=2
      elif [[ ${COMP_WORDS[i]} != -* ]]; then
        place+=1
      fi
    done
    words=() what=''
    _rigidlimit_argument "$subcommand" "$place"
  fi
  for word in "${words[@]}"; do
    printf -v quoted '%q' "$word"
    if [[ $word == "$current"* || $quoted == "$current"* ]]; then COMPREPLY+=("$quoted"); fi
  done
  case $what in
    key) compopt -o nospace 2> /dev/null; return ;;
    toml) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current"; compgen -f -X '!*.toml' -- "$current") ;;
    store) mapfile -t COMPREPLY < <(compgen -d -- "$current"; compgen -f -X '!*.db' -- "$current") ;;
    file) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    directory) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    *) return ;;
  esac
  compopt -o filenames 2> /dev/null
}

complete -F _rigidlimit rigidlimit
)";

std::string bash_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_quoted(word);
  return text;
}

std::string value_of(const ArgumentModel& argument) {
  switch (argument.value) {
    case Completes::words: return fmt::format("words=({})", bash_list(argument.words));
    case Completes::toml_file:
      return fmt::format("words=({}) what=toml", bash_list(names_of(shipped_studies())));
    case Completes::file: return "what=file";
    case Completes::directory: return "what=directory";
    case Completes::store: return "what=store";
    case Completes::key: return "_rigidlimit_keys";
    case Completes::none:
    case Completes::anything: break;
  }
  return "what=anything";
}

std::string option_names(const std::vector<ArgumentModel>& arguments) {
  std::vector<std::string> names;
  for (const ArgumentModel& a : arguments)
    if (!a.positional) names.insert(names.end(), a.names.begin(), a.names.end());
  return bash_list(names);
}

}  // namespace

std::string bash_completion(const ProgramModel& model) {
  std::string values, places, options;
  std::vector<std::string> commands;
  for (const SubcommandModel& subcommand : model.subcommands) {
    commands.push_back(subcommand.name);
    int place = 0;
    for (const ArgumentModel& a : subcommand.arguments) {
      if (a.positional) {
        const std::string where = a.repeats
                                      ? shell_quoted(subcommand.name + " ") + "*"
                                      : shell_quoted(fmt::format("{} {}", subcommand.name, place));
        places += fmt::format("    {}) {} ;;\n", where, value_of(a));
        ++place;
      } else if (a.value != Completes::none) {
        std::string patterns;
        for (const std::string& name : a.names)
          patterns += (patterns.empty() ? "" : " | ") + shell_quoted(subcommand.name + " " + name);
        values += fmt::format("    {}) {} ;;\n", patterns, value_of(a));
      }
    }
    options += fmt::format("    {}) words=({}) ;;\n", shell_quoted(subcommand.name),
                           option_names(subcommand.arguments));
  }
  options +=
      fmt::format("    '') words=({} {}) ;;\n", bash_list(commands), option_names(model.options));
  return fmt::format(
      "{}{}{}{}{}{}  esac\n}}\n\n# The options of command $1; without one the commands.\n"
      "_rigidlimit_options() {{\n  case $1 in\n{}{}",
      begin, bash_list(keys_to_set()), head, values, middle, places, options, tail);
}

Subcommand add_completion(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "completion", "Print a completion script for bash",
                  "Installed with the program. Without an installation:\n"
                  "  source <(rigidlimit completion bash)                # in ~/.bashrc\n"
                  "\n"
                  "Completes commands, options and their values, names of systems, solvers and\n"
                  "laws, the keys of --set, and files.");
  const auto shell = std::make_shared<std::string>();
  command.option("SHELL", *shell, "shell that reads the script").required().one_of({"bash"});
  return {command, [shell, &systems] {  // the parser writes to *shell
            if (*shell == "bash") print_text(bash_completion(model_of(make_program(systems))));
            return exit_status::held;
          }};
}

}  // namespace rigidlimit
