// Solves as tasks, to be run or taken from an archive.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// Key of a solve, and the function that runs it.
struct Solve {
  SolveIdentity identity;
  const std::vector<double>* times = nullptr;
  std::function<SolveRecord()> run;
  Samples kept = Samples::with;    ///< in an archive
  Samples wanted = Samples::with;  ///< without: Task::take makes do with a record without samples
};

/// Solves that belong together, such as the two of a pair, and the function that takes their
/// results. They run one after the other, and are in the same shard.
struct Task {
  std::vector<Solve> solves;
  std::string what;
  /// One record for each solve. Those that were stopped have the outcome `interrupted` or
  /// `not_run`.
  std::function<void(std::vector<SolveRecord>)> take;
  /// Tasks whose results take() uses: they come before this one in every list of tasks.
  std::vector<const Task*> after = {};
};

/// The same with a single solve.
inline Task single_task(Solve solve, std::string what, std::function<void(SolveRecord)> take) {
  return {.solves = {std::move(solve)},
          .what = std::move(what),
          .take = [take = std::move(take)](std::vector<SolveRecord> records) {
            take(std::move(records.front()));
          }};
}

}  // namespace rigidlimit
