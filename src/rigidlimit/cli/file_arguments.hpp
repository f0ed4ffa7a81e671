// Arguments of the subcommands that solve experiments in files, and the experiments that they name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/cli/command.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/systems/system_entry.hpp"
#include "rigidlimit/toml/shipped_studies.hpp"

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

/// The path; prints the notice to standard error.
std::string path_with_notice(const NamedFile& named);

struct FromFile {
  Experiment experiment;
  std::string file;
};

/// Reads all files, in their order; `quick`: benchmarks in their short form. Calls `refuse` with
/// the reason for a file that cannot be read, and for a second file of the same name, since their
/// results would share a directory.
std::vector<FromFile> read_experiments(const FileArguments& arguments, bool quick,
                                       const std::function<void(const std::string&)>& refuse);

}  // namespace rigidlimit
