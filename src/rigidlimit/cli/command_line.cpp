#include "rigidlimit/cli/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/parse_message.hpp"
#include "rigidlimit/cli/program.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/study/suggest.hpp"

namespace rigidlimit {

namespace {

/// CLI11 would only say that a subcommand is required.
void require_known_verb(const Program& program, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const std::string verb = argv[1];
  const std::vector<std::string> known = names_of(program);
  if (std::ranges::find(known, verb) == known.end())
    throw InputError(fmt::format("'{}' is no command{}", verb, suggestion(verb, known)));
}

/// The last part of the path that the program was called by.
std::string own_name(int argc, const char* const* argv) {
  const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  return name.empty() ? "rigidlimit" : printable(name);
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const SystemCatalogue& systems) try {
  check_catalogue(systems);
  const Program program = make_program(systems, own_name(argc, argv));
  require_known_verb(program, argc, argv);
  try {
    program.app->parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return program.app->exit(e);  // --help, --version
    throw InputError(message_of(e, program));
  }
  const auto verb =
      std::ranges::find_if(program.verbs, [](const Verb& v) { return v.app->parsed(); });
  const int status = verb->deed();
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw InputError("cannot be written: disk full?", "standard output");
  return status;
} catch (const std::exception& e) {
  fmt::print(stderr, "rigidlimit: {}\n", printable(e.what()));
  return exit_status::could_not;
}

}  // namespace rigidlimit
