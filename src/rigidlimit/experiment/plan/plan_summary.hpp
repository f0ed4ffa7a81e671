// The solves of an experiment that is not run.
#pragma once

#include <vector>

#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

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
