#include "rigidlimit/cli/file_arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <thread>

namespace rigidlimit {

int FileArguments::jobs_at_once() const {
  return jobs > 0 ? jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void add_files(CLI::App& app, FileArguments& arguments) {
  app.add_option("FILE", arguments.files, "TOML files")->required();
  app.add_option("--set", arguments.overrides,
                 "override a value: dotted.key=TOML value, e.g. contact.stiffness=2.5 or "
                 "'system.name=\"knife_edge\"'; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->allow_extra_args(false)  // or it would take the FILE after it
      ->take_all();
  app.add_flag("--no-progress", arguments.no_progress, "no progress line, even on a terminal");
}

void add_jobs(CLI::App& app, FileArguments& arguments) {
  app.add_option("--jobs", arguments.jobs,
                 "solves at a time (default: one a core); the same result for any")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  // Who compiles is a matter of the process (core/tape_compiler.hpp), as who shows colours is.
  app.add_flag_callback(
      "--no-compile", [] { setenv("RIGIDLIMIT_CC", "", 1); },
      "start no C compiler for equations that are evaluated often; the same result");
}

void add_quiet(CLI::App& app, FileArguments& arguments, const char* what_remains) {
  app.add_flag("--quiet", arguments.quiet, what_remains);
}

void add_results(CLI::App& app, FileArguments& arguments) {
  app.add_option("--results", arguments.results, "directory of the result files")
      ->type_name("DIR")
      ->capture_default_str();
}

}  // namespace rigidlimit
