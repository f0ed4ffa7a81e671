// Counts of the solves of a run, and of an experiment that is not run.
#pragma once

#include <vector>

#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// Counts of the solves of a run.
struct SolveCounts {
  int computed = 0;  ///< in this run, failures included
  int reused = 0;    ///< taken from the archive
  int missing = 0;   ///< stopped or not begun
};

/// The solves that differ in ε alone: same kind, law, solver, formulation and tolerance.
struct PlanLine {
  SolveIdentity first;  ///< the first of these solves, for its names
  int solves = 0;
  int kept = 0;          ///< already in the archive
  double seconds = 0.0;  ///< time spent on the kept ones, s
};

struct PlanSummary {
  std::vector<PlanLine> lines;  ///< in the order of the plan
  int solves = 0;
  int kept = 0;
};

}  // namespace rigidlimit
