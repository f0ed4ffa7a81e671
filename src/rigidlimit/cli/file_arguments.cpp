#include "rigidlimit/cli/file_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/toml/shipped_studies.hpp"

namespace rigidlimit {

int FileArguments::jobs_at_once() const {
  return jobs > 0 ? jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void add_files(Command& command, FileArguments& arguments) {
  command
      .option("FILE", arguments.files,
              "TOML files of experiments, or names of studies that come with the program")
      .required();
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

std::string path_with_notice(const NamedFile& named) {
  if (!named.notice.empty()) print_message("rigidlimit: {}\n", named.notice);
  return named.path;
}

std::vector<FromFile> read_experiments(const FileArguments& arguments, bool quick,
                                       const std::function<void(const std::string&)>& refuse) {
  std::vector<FromFile> all;
  for (const std::string& word : arguments.files) try {
      const NamedFile named = named_study(word);
      const std::string file = arguments.quiet ? named.path : path_with_notice(named);
      Experiment next = read_experiment(file, arguments.overrides, *arguments.systems, quick);
      const std::string& name = next.name;
      if (std::ranges::any_of(all,
                              [&](const FromFile& other) { return other.experiment.name == name; }))
        throw InputError(
            fmt::format("study.name = \"{}\": another file has the same name, so their "
                        "results would share a directory; change one of them",
                        name),
            file);
      all.push_back({std::move(next), file});
    } catch (const InputError& e) {
      refuse(e.what());
    }
  return all;
}

}  // namespace rigidlimit
