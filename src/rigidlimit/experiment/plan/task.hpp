// One solve as a task: it can be done, or taken from an archive.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// One solve as an archive sees it, with the way to do it and to put its result in its place.
struct Task {
  SolveIdentity identity;
  const std::vector<double>* times = nullptr;
  int unit = 0;  ///< solves with the same one are in the same shard
  std::string what;
  std::function<SolveRecord()> solve;
  std::function<void(SolveRecord)> take;
};

}  // namespace rigidlimit
