#include "rigidlimit/cli/solve_experiment.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/reporter.hpp"
#include "rigidlimit/cli/with_progress.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/report/plan_table.hpp"
#include "rigidlimit/run/read_only_store.hpp"
#include "rigidlimit/run/stored_run.hpp"

namespace rigidlimit {

JudgedExperiment solve_experiment(const Experiment& experiment, const FileArguments& arguments) {
  ReadOnlyStore kept(store_of(experiment, arguments.results));
  const std::string& name = experiment.name;
  JudgedExperiment judged = run_with_progress(arguments, name, [&](RunOptions options) {
    options.archive = &kept;
    return judged_experiment(experiment, options);
  });
  if (!arguments.quiet) {
    if (const std::string why = kept.complaint(); !why.empty())
      fmt::print(stderr, "{}: the stored solves are not used: {}\n", name, printable(why));
    print_reused_solves(name, judged.counts);
  }
  return judged;
}

SolvedExperiment solve_experiment(const Experiment& experiment, const FileArguments& arguments,
                                  const StoreArguments& how) {
  StoredRun run = stored_run_of(experiment);
  run.jobs = arguments.jobs_at_once();
  const auto store =
      opened_store(store_to_write(experiment, arguments.results), run, how, arguments.quiet);
  StoredResult found = run_with_progress(arguments, run.name, [&](RunOptions options) {
    options.recompute = how.recompute;
    return run_in_store(experiment, *store, std::move(options));
  });
  const int status = status_of(run.name, found.end);
  if (!arguments.quiet) print_reused_solves(run.name, found.judged.counts);
  return {std::move(found.judged.report), status, !store->read_only()};
}

int solve_shard_of(const Experiment& experiment, Shard shard, const FileArguments& arguments,
                   const StoreArguments& how) {
  const std::string path = store_to_write(experiment, arguments.results, shard);
  StoredRun run = stored_run_of(experiment);
  run.jobs = arguments.jobs_at_once();
  run.shard = shard;
  const auto store = opened_store(path, run, how, arguments.quiet);
  const SolveCounts counts = run_with_progress(arguments, run.name, [&](const RunOptions& options) {
    RunOptions of_shard = kept_in(*store, options);
    of_shard.shard = shard;
    of_shard.recompute = how.recompute;
    const auto plan = plan_for(experiment, of_shard);
    return do_plan(*plan, of_shard);
  });
  const int status = status_of(run.name, ended_run(*store, counts));
  if (!arguments.quiet) print_reused_solves(run.name, counts);
  if (!arguments.quiet)
    fmt::print("{}: shard {}/{} has {} solves, {} of them new: {}\n", run.name, shard.index,
               shard.count, counts.computed + counts.reused, counts.computed, path);
  if (counts.missing == 0) return status;
  return InterruptGuard::requested() ? exit_status::interrupted : exit_status::could_not;
}

namespace {

/// Prints the summary of the plan and of its solves in the store (if any).
void print_plan_of(const Experiment& experiment, const std::string& path, RunOptions options,
                   const StoreArguments& arguments) {
  std::error_code ignored;
  std::unique_ptr<Store> store;
  // With --fresh or --recompute the stored solves do not count.
  if (!arguments.fresh && !arguments.recompute && std::filesystem::exists(path, ignored))
    store = std::make_unique<Store>(path, Store::Access::read);
  options.archive = store.get();
  const PlanSummary found = plan_of(experiment, options);
  const int left = found.solves - found.kept;
  fmt::print("{}: {} solves{}\n{}{}\n\n", experiment.name, found.solves,
             store ? fmt::format(", {} of them stored in {}", found.kept, printable(path)) : "",
             terminal_text(plan_table(found), colour_wanted()),
             left == 0 ? "nothing to do" : fmt::format("{} solves to do", left));
}

}  // namespace

void print_plan(const Experiment& experiment, Shard shard, const FileArguments& arguments,
                const StoreArguments& store) {
  const RunOptions options{.jobs = arguments.jobs_at_once(), .shard = shard};
  print_plan_of(experiment, store_of(experiment, arguments.results, shard), options, store);
}

}  // namespace rigidlimit
