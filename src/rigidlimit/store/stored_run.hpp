// Runs of experiments with a store as archive, and read-only access to a store. Nothing here
// prints, asks or sets signal handlers.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/plan/plan_summary.hpp"
#include "rigidlimit/result/solve_counts.hpp"
#include "rigidlimit/store/store.hpp"

namespace rigidlimit {

/// The store that an argument names: results/NAME means results/NAME/results.db, and NAME means
/// results/NAME if that is a directory.
std::string store_named(const std::string& text);

/// The system of the store's last study if it is not one of `systems`, i.e. user-defined in another
/// program; empty otherwise (also for systems with friction, systems of formulas, or no study).
std::string unknown_system(const Store& store, const std::string& path,
                           const SystemCatalogue& systems);

/// The experiment of the store's last run. Throws InputError if there was none or it cannot be read
/// by this program.
Experiment experiment_in(const Store& store, const std::string& path,
                         const SystemCatalogue& systems);

/// The store of an experiment below a directory of results (store_path).
std::string store_of(const Experiment& experiment, const std::string& results, Shard shard = {});

/// The same path for a run that writes there. Throws InputError if results/NAME is not a folder of
/// ours (report/results_folder.hpp); nothing has been solved then.
std::string store_to_write(const Experiment& experiment, const std::string& results,
                           Shard shard = {});

/// Identity of the experiment in a store.
StoredRun stored_run_of(const Experiment& experiment);

/// "contact.damping_ratio: 1 -> 2": the values in which the store's last run was another variant of
/// the experiment, whose tables `run` replaces. Empty: none, or the store is read-only.
std::string replaced_values(const Store& store, const StoredRun& run);

/// `options` with the store as archive; a failure to write it stops the solves.
RunOptions kept_in(Store& store, RunOptions options);

/// The end of a run in a store.
struct RunEnd {
  std::vector<Finding> findings;  ///< repeated solves with another result
  std::string failure;            ///< why finished solves are not stored; empty: all are
};

RunEnd ended_run(Store& store, const SolveCounts& counts);

struct StoredResult {
  Result judged;
  RunEnd end;
};

/// Solves what the store lacks, judges, and ends the run that was begun. The judgement is stored,
/// unless the run was interrupted before the first number: it must not replace an earlier result.
StoredResult run_in_store(const Experiment& experiment, Store& store, RunOptions options);

/// Judges the results in a store without solving. In a writable store, ends the run that was begun
/// and stores the judgement.
Result judge_store(const Experiment& experiment, Store& store);

/// Solves of the experiment, those in the archive of `options`, and a time estimate, without
/// solving.
PlanSummary plan_of(const Experiment& experiment, const RunOptions& options);

/// An archive for judging without writing: it returns the results in the store at `path` and
/// discards new ones. If the store is missing, damaged or locked, the archive is empty and
/// complaint() gives the reason.
class ReadOnlyStore final : public SolveArchive {
 public:
  explicit ReadOnlyStore(const std::string& path);

  std::string complaint() const;  ///< why the store could not be read; empty: it could

  std::string name() const override { return store_ ? store_->name() : std::string(); }
  void plan(const std::vector<SolveIdentity>& /*solves*/) override {}
  std::optional<SolveRecord> find(const SolveIdentity& solve, Samples wanted) override;
  void begin(const SolveIdentity& /*solve*/) override {}
  void keep(const SolveIdentity& /*solve*/, const std::vector<double>& /*times*/,
            const SolveRecord& /*record*/, Samples /*kept*/) override {}

 private:
  std::unique_ptr<Store> store_;  ///< nullptr: no readable store
  mutable std::mutex guard_;      ///< guards complaint_
  std::string complaint_;
};

}  // namespace rigidlimit
