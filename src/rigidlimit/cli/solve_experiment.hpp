// Solves and judges an experiment of any kind, with or without a store.
#pragma once

#include <string>

#include "rigidlimit/cli/experiment.hpp"
#include "rigidlimit/cli/stored_run.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

struct SolvedExperiment {
  Report report;
  int status = 0;        ///< exit status from writing the store
  bool writable = true;  ///< the directory of the store is writable
};

/// Takes available results from the store below `arguments.results`, solves the rest and writes
/// nothing. If the store cannot be read, prints the reason and solves everything.
JudgedExperiment solve_experiment(const Experiment& experiment, const FileArguments& arguments);

/// The same with all new results written to the store. Prints the number of
/// reused results, different results of repeated solves, and results that could not be stored.
/// Throws InputError if the store cannot be used.
SolvedExperiment solve_experiment(const Experiment& experiment, const FileArguments& arguments,
                                  const StoreArguments& how);

/// Solves the shard into its own store and prints a summary; returns the exit status. Throws
/// InputError for a shard of a benchmark with times.
int solve_shard_of(const Experiment& experiment, Shard shard, const FileArguments& arguments,
                   const StoreArguments& store);

/// Prints the solves of solve_experiment(), and the number of stored ones, without solving or
/// writing. Throws InputError for a store that cannot be read.
void print_plan(const Experiment& experiment, Shard shard, const FileArguments& arguments,
                const StoreArguments& store);

}  // namespace rigidlimit
