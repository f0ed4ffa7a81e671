// Arguments of the subcommands that solve experiments in files.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/cli/command.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

struct FileArguments {
  const SystemCatalogue* systems = nullptr;
  std::vector<std::string> files;
  std::vector<std::string> overrides;  ///< --set texts
  int jobs = 0;                        ///< 0: one per core
  bool quiet = false;
  bool no_progress = false;
  std::string results = "results";  ///< directory of the result files

  /// `jobs`, or the number of cores.
  int jobs_at_once() const;
};

/// Adds FILE..., --set and --no-progress. `arguments` must outlive the parse, here and below.
void add_files(Command& command, FileArguments& arguments);
/// Adds --jobs and --no-compile.
void add_jobs(Command& command, FileArguments& arguments);
void add_quiet(Command& command, FileArguments& arguments, const char* what_remains);
void add_results(Command& command, FileArguments& arguments);

}  // namespace rigidlimit
