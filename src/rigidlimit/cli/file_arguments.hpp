// The arguments of the verbs that solve what files describe.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/systems/system_entry.hpp"

namespace CLI {
class App;
}

namespace rigidlimit {

struct FileArguments {
  const SystemCatalogue* systems = nullptr;
  std::vector<std::string> files;
  std::vector<std::string> overrides;  ///< --set texts
  int jobs = 0;                        ///< 0: one a core
  bool quiet = false;
  bool no_progress = false;
  std::string results = "results";  ///< directory of the result files

  /// `jobs`, or the number of cores.
  int jobs_at_once() const;
};

/// FILE..., --set and --no-progress. `arguments` must outlive the parse, here and below.
void add_files(CLI::App& app, FileArguments& arguments);
/// --jobs, and --no-compile: how it is solved, not what.
void add_jobs(CLI::App& app, FileArguments& arguments);
void add_quiet(CLI::App& app, FileArguments& arguments, const char* what_remains);
void add_results(CLI::App& app, FileArguments& arguments);

}  // namespace rigidlimit
