// Runs tasks, or takes their results from an archive.
#pragma once

#include <vector>

#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/solve_counts.hpp"
#include "rigidlimit/experiment/plan/task.hpp"

namespace rigidlimit {

/// Whether the solver ended by itself: neither left out nor stopped by the user.
bool is_finished(Outcome outcome);

/// Gives a stored result to its task. Throws DamagedRecord with the place of the archive if it does
/// not fit.
void take_stored(const Task& task, SolveRecord record, const SolveArchive& archive);

/// Takes available results from options.archive and runs the other tasks on options.jobs threads,
/// in their order. Finished results are stored in the archive. The result does not depend on the
/// number of threads. After a stop request, or with options.solve = false, the remaining tasks
/// count as `missing`.
SolveCounts do_tasks(std::vector<const Task*> tasks, const RunOptions& options);

}  // namespace rigidlimit
