#include "rigidlimit/cli/command_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
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

namespace {

/// Messages would go to the first file that is opened, for instance a store.
bool has_standard_error() {
  if (fcntl(STDERR_FILENO, F_GETFD) >= 0) return true;
  std::fputs("rigidlimit: standard error is closed: redirect it, for instance with 2>/dev/null\n",
             stdout);
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
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw InputError("cannot be written: disk full?", "standard output");
  return status;
} catch (const std::exception& e) {
  std::fputs(fmt::format("rigidlimit: {}\n", printable(e.what())).c_str(), stderr);  // never throws
  return exit_status::could_not;
}

}  // namespace rigidlimit
