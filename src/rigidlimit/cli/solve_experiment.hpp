// An experiment of any kind is solved and judged, with a store or without.
#pragma once

#include <string>

#include "rigidlimit/cli/experiment.hpp"
#include "rigidlimit/cli/stored_run.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/store/store.hpp"

namespace rigidlimit {

struct SolvedExperiment {
  Report report;
  SolveCounts counts = {};
  int status = 0;        ///< what keeping its solves came to
  bool writable = true;  ///< the directory of its store
};

/// Takes from the store of its directory in `arguments.results` what is there, solves the rest and
/// writes nothing. A store that cannot be read is said, and does without.
SolvedExperiment solve_experiment(const Experiment& experiment, const FileArguments& arguments);

/// With the store of its directory in `arguments.results` as its memory (a benchmark has
/// none): says what was kept from before, what is another result than before, and
/// what could not be kept. Throws InputError where the store cannot be used.
SolvedExperiment solve_experiment(const Experiment& experiment, const FileArguments& arguments,
                                  const StoreArguments& store);

/// Solves the shard into a store of its own and says what it has; the status. Throws InputError for
/// a kind that cannot be shared out.
int solve_shard_of(const Experiment& experiment, Shard shard, const FileArguments& arguments,
                   const StoreArguments& store);

/// How a store knows it. Throws InputError for a kind that keeps none.
StoredRun stored_run_of(const Experiment& experiment);

/// What `store` has of it, judged; nothing is solved. Where it can be written, a run that was begun
/// in it ends and the judgement is kept. Throws InputError as solve_shard_of() does.
SolvedExperiment judge_store(const Experiment& experiment, Store& store);

/// Prints what solve_experiment() would solve, what the store has of it and how long the rest will
/// take. Solves nothing and writes nothing; throws InputError for a store that cannot be read.
void print_plan(const Experiment& experiment, Shard shard, const FileArguments& arguments,
                const StoreArguments& store);

}  // namespace rigidlimit
