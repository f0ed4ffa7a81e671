#include "rigidlimit/cli/file_arguments.hpp"

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace rigidlimit {

int FileArguments::jobs_at_once() const {
  return jobs > 0 ? jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void add_files(Command& command, FileArguments& arguments) {
  command.option("FILE", arguments.files, "TOML files of experiments").required();
  command.option("--set", arguments.overrides, "override a key, e.g. time.end=1; repeatable")
      .value("KEY=VALUE")
      .one_at_a_time();
  command.flag("--no-progress", arguments.no_progress, "print no progress line");
}

void add_jobs(Command& command, FileArguments& arguments) {
  command.option("--jobs", arguments.jobs, "number of solves at a time (default: one per core)")
      .value("N")
      .within(1L, 1024L);
  // Run-time compilation is a setting of the process (core/codegen/tape_compiler.hpp), as is the
  // use of colours.
  command.flag(
      "--no-compile", [] { setenv("RIGIDLIMIT_CC", "", 1); },
      "do not compile equations at run time");
}

void add_quiet(Command& command, FileArguments& arguments, const char* what_remains) {
  command.flag("--quiet", arguments.quiet, what_remains);
}

void add_results(Command& command, FileArguments& arguments) {
  command.option("--results", arguments.results, "directory of the result files")
      .value("DIR")
      .shows_default();
}

}  // namespace rigidlimit
