// What run and check do: one experiment after the other.
#pragma once

#include <chrono>
#include <functional>

#include "rigidlimit/cli/experiment.hpp"
#include "rigidlimit/cli/reporter.hpp"

namespace rigidlimit {

/// Reads the files and hands what could be read to `handle`, which returns a status, one after
/// another; the worst status. What is refused, or fails, is told and goes into the JUnit; the
/// others go on. The reporter is finished.
int for_each_experiment(const FileArguments& arguments, bool quick, Reporter& reporter,
                        const std::function<int(const FromFile&)>& handle);

}  // namespace rigidlimit
