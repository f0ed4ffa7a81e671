// Does tasks, or takes their results from an archive.
#pragma once

#include <vector>

#include "rigidlimit/experiment/plan/estimate.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/solve_counts.hpp"
#include "rigidlimit/experiment/plan/task.hpp"

namespace rigidlimit {

/// The solver ended by itself: neither left out nor stopped by the user.
bool is_finished(Outcome outcome);

/// Takes from options.archive what it has, and does the rest on options.jobs threads, the cheapest
/// of each kind first (experiment/plan/solve_clock.hpp); what is finished goes into the archive.
/// Nothing depends on the number of threads. `time`: an estimate without solves. After a stop
/// request, and with options.solve = false, tasks are left out: `missing`.
SolveCounts do_tasks(std::vector<const Task*> tasks, TimeEstimate time, const RunOptions& options);

}  // namespace rigidlimit
