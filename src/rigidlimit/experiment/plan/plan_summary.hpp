// Counts and estimate of the solves of an experiment, without running them.
#pragma once

#include <vector>

#include "rigidlimit/experiment/plan/estimate.hpp"
#include "rigidlimit/experiment/plan/solve_archive.hpp"
#include "rigidlimit/experiment/plan/solve_costs.hpp"

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
  Estimate left;  ///< of the other solves, with options.jobs at a time
  int units = 0;  ///< of all shards; the solves of a unit are in the same shard
  /// Estimated time of all solves of each shard by options.costs, one at a time.
  std::vector<double> shard_seconds;
  SolveCosts costs;  ///< fitted to the kept solves, of the groups that have some
};

}  // namespace rigidlimit
