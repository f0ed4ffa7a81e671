// What running a study would do, without doing it.
#pragma once

#include <vector>

#include "rigidlimit/study/estimate.hpp"
#include "rigidlimit/study/run_options.hpp"
#include "rigidlimit/study/study.hpp"

namespace rigidlimit {

/// The solves of one kind, law, solver, formulation and tolerance.
struct PlanLine {
  SolveIdentity first;  ///< of them, for its names; the ε of each differs
  int solves = 0;
  int kept = 0;          ///< that the archive has
  double seconds = 0.0;  ///< that those took
};

struct StudyPlan {
  std::vector<PlanLine> lines;  ///< in the order of the plan
  int solves = 0;
  int kept = 0;
  Estimate left;  ///< of the rest, with options.jobs at a time
};

/// The solves of options.shard, and what options.archive has of them: nullptr, nothing. Nothing is
/// solved and nothing is told to the archive.
StudyPlan plan_of(const Study& study, const RunOptions& options);

}  // namespace rigidlimit
