// Study -> StudyResult.
#pragma once

#include <functional>
#include <string>

#include "rigidlimit/study/result.hpp"

namespace rigidlimit {

struct RunOptions {
  int jobs = 1;                          ///< solves at a time; the result does not depend on it
  std::function<bool()> stop_requested;  ///< asked from every thread; empty: never
  /// Called after each solve, one thread at a time: done of total, and what was done.
  std::function<void(int done, int total, const std::string& what)> on_progress;
};

/// Solves both sides on the study's grids and judges every series. A failed solve is a row and a
/// Failure; an interrupted run keeps the rows finished so far.
StudyResult run_study(const Study& study, const RunOptions& options = {});

}  // namespace rigidlimit
