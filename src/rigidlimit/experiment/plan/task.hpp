// One solve as a task, to be run or taken from an archive.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// Key of a solve, the function that runs it, and the function that stores its result in place.
struct Task {
  SolveIdentity identity;
  const std::vector<double>* times = nullptr;
  int unit = 0;  ///< solves of the same unit are in the same shard
  std::string what;
  std::function<SolveRecord()> solve;
  std::function<void(SolveRecord)> take;
  Samples kept = Samples::with;    ///< in an archive
  Samples wanted = Samples::with;  ///< without: take() makes do with a record without samples
};

}  // namespace rigidlimit
