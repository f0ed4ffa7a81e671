// Parts that the commands share: the loop over experiments, a run with a progress line, and solving
// and judging with or without a store.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rigidlimit/cli/command.hpp"
#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/cli/reporter.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/store/stored_run.hpp"

namespace rigidlimit {

struct StoreArguments {
  std::string shard;       ///< "k/n"; empty: the whole study
  bool fresh = false;      ///< delete stored solves first
  bool yes = false;        ///< without confirmation
  bool recompute = false;  ///< also solve stored solves, and compare
};

void add_store(Command& command, StoreArguments& arguments);  ///< adds --fresh, --yes, --recompute
void add_shard(Command& command, StoreArguments& arguments);  ///< adds --shard

/// Parses "2/4". Throws InputError with the text unless 1 <= k <= n <= 10 000.
Shard shard_of(const std::string& text);

/// Opens the store and begins the run. Asks for confirmation before deleting solves. Unless
/// `quiet`, prints whose tables will be replaced if the store's last run was another variant of the
/// study. Throws InputError if the store cannot be used.
std::unique_ptr<Store> opened_store(const std::string& path, const StoredRun& run,
                                    const StoreArguments& arguments, bool quiet);

/// Prints different results of repeated solves, and why results could not be stored. Returns the
/// exit status.
int status_of(const std::string& name, const RunEnd& end);

/// Prints the number of reused solves, if any.
void print_reused_solves(const std::string& name, const SolveCounts& counts);

struct SolvedExperiment {
  Result report;
  int status = 0;        ///< exit status from writing the store
  bool writable = true;  ///< the directory of the store is writable
};

/// Takes available results from the store below `arguments.results`, solves the rest and writes
/// nothing. If the store cannot be read, prints the reason and solves everything.
Result solve_experiment(const Experiment& experiment, const FileArguments& arguments);

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

/// Reads the files and calls `handle`, which returns an exit status, for each experiment. Returns
/// the largest status. A file that cannot be read, or an experiment that throws, is reported, also
/// in the JUnit file, and the loop goes on. Finishes the reporter.
int for_each_experiment(const FileArguments& arguments, bool quick, Reporter& reporter,
                        const std::function<int(const FromFile&)>& handle);

/// Calls run(options) with progress for `name`, the requested number of jobs and a stop request on
/// interrupts. `before_the_first`: see ProgressLine.
template <class Run>
auto run_with_progress(const FileArguments& arguments, const std::string& name, const Run& run,
                       const std::string& before_the_first = "no solve has ended yet") {
  ProgressLine progress(name, !arguments.no_progress && !arguments.quiet, before_the_first);
  return run(RunOptions{
      .jobs = arguments.jobs_at_once(),
      .stop_requested =
          [&] {
            progress.tick();
            return InterruptGuard::requested();
          },
      .on_progress = [&](const SolveProgress& news) { progress.show(news); },
      .on_proof = [&](const std::string& what, double part) { progress.prove(what, part); }});
}

}  // namespace rigidlimit
