// Experiments from the files of a command line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/report/judged_experiment.hpp"

namespace rigidlimit {

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
