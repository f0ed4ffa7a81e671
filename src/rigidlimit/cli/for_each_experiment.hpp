// Common loop of run and check over their experiments.
#pragma once

#include <chrono>
#include <functional>

#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/cli/reporter.hpp"

namespace rigidlimit {

/// Reads the files and calls `handle`, which returns an exit status, for each experiment. Returns
/// the largest status. A file that cannot be read, or an experiment that throws, is reported, also
/// in the JUnit file, and the loop goes on. Finishes the reporter.
int for_each_experiment(const FileArguments& arguments, bool quick, Reporter& reporter,
                        const std::function<int(const FromFile&)>& handle);

}  // namespace rigidlimit
