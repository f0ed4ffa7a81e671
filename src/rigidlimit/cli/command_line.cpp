#include "rigidlimit/cli/command_line.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/parse.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

namespace {

/// The last part of the path of the called program.
std::string own_name(int argc, const char* const* argv) {
  const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  return name.empty() ? "rigidlimit" : printable(name);
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const SystemCatalogue& systems) try {
  check_catalogue(systems);
  const Program program = make_program(systems, own_name(argc, argv));
  const Subcommand* const subcommand = parse(program, argc, argv);
  if (subcommand == nullptr) return exit_status::held;
  const int status = subcommand->action();
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw InputError("cannot be written: disk full?", "standard output");
  return status;
} catch (const std::exception& e) {
  fmt::print(stderr, "rigidlimit: {}\n", printable(e.what()));
  return exit_status::could_not;
}

}  // namespace rigidlimit
