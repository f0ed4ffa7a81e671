#include "rigidlimit/cli/command_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/program.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/memory_message.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/core/suggest.hpp"

namespace rigidlimit {

namespace {

/// The subcommand whose arguments caused an error, or the program itself.
const CLI::App& parsed_app(const Program& program) {
  const auto parsed = program.app->get_subcommands();
  return parsed.empty() ? *program.app : *parsed.front();
}

std::string name_of(const CLI::App& app, const Program& program) {
  const std::string& own = program.app->get_name();
  return &app == program.app.get() ? own : own + " " + app.get_name();
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// The message for an unknown option or an extra argument.
std::string message_of_extras(const CLI::App& app, const std::string& name) {
  const std::vector<std::string> extras = app.remaining(true);
  const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
  const auto option = std::ranges::find_if(extras, is_option);
  if (option == extras.end())
    return fmt::format("'{}': too many arguments for '{}'", extras.empty() ? "" : extras.front(),
                       name);
  const std::string word = option->substr(0, option->find('='));
  return fmt::format("{}: not an option of '{}'{}", word, name, suggestion(word, options_of(app)));
}

std::string message_of(const CLI::ParseError& error, const Program& program) {
  const CLI::App& app = parsed_app(program);
  const std::string name = name_of(app, program);
  std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    text = message_of_extras(app, name);
  } else if (&app == program.app.get()) {
    text = "a command is missing";
  } else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string what = text.substr(0, text.find(" is required"));
    text = fmt::format("{} is missing: {} {}", what, name, what);
  } else if (const std::size_t colon = text.find(": ");
             colon != std::string::npos && colon + 2 < text.size()) {
    // "--jobs: Value 0 not in range": joined into one sentence.
    char& first = text[colon + 2];
    first = static_cast<char>(std::tolower(static_cast<unsigned char>(first)));
  }
  return fmt::format("{} (see '{} --help')", text, name);
}

/// Rejects an unknown subcommand. CLI11 would only say that a subcommand is required.
void require_known_subcommand(const Program& program, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const std::string subcommand = argv[1];
  const std::vector<std::string> known = names_of(program);
  if (std::ranges::find(known, subcommand) == known.end())
    throw InputError(
        fmt::format("'{}' is not a command{}", subcommand, suggestion(subcommand, known)));
}

/// The requested subcommand with its arguments; nullptr after --help or --version, which are
/// printed here. Throws InputError: "--resutls: no option of 'rigidlimit run'; did you mean
/// '--results'? …", with the command that prints the help.
const Subcommand* parse(const Program& program, int argc, const char* const* argv) {
  require_known_subcommand(program, argc, argv);
  try {
    program.app->parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) throw InputError(message_of(e, program));
    program.app->exit(e);  // --help, --version
    return nullptr;
  }
  const auto at =
      std::ranges::find_if(program.subcommands, &Command::was_given, &Subcommand::command);
  return &*at;
}

/// The last part of the path of the called program.
std::string own_name(int argc, const char* const* argv) {
  const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  return name.empty() ? "rigidlimit" : printable(name);
}

/// Messages would go to the first file that is opened, for instance a store.
bool has_standard_error() {
  if (fcntl(STDERR_FILENO, F_GETFD) >= 0) return true;
  print_text("rigidlimit: standard error is closed: redirect it, for instance with 2>/dev/null\n");
  return false;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const SystemCatalogue& systems) try {
  if (!has_standard_error()) return exit_status::could_not;
  std::signal(SIGXFSZ, SIG_IGN);  // beyond `ulimit -f`, write() then fails with a reason
  check_catalogue(systems);
  const Program program = make_program(systems, own_name(argc, argv));
  const Subcommand* const subcommand = parse(program, argc, argv);
  if (subcommand == nullptr) return exit_status::held;
  const int status = subcommand->action();
  if (!flush_output()) throw InputError("cannot be written: disk full?", "standard output");
  return status;
} catch (const std::exception& e) {
  print_message("rigidlimit: {}\n", message_of(e, "this command"));
  return exit_status::could_not;
}

}  // namespace rigidlimit
