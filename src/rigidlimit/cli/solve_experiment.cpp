#include "rigidlimit/cli/solve_experiment.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/local_stores.hpp"
#include "rigidlimit/cli/part_mover.hpp"
#include "rigidlimit/cli/read_only_store.hpp"
#include "rigidlimit/cli/reporter.hpp"
#include "rigidlimit/cli/with_progress.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/run_benchmark.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/sweep_plan.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/report/reports.hpp"
#include "rigidlimit/report/sweep_report.hpp"

namespace rigidlimit {

namespace {

template <class Kind>
StoredRun run_of(const Kind& experiment) {
  const std::string resolved = resolved_toml(experiment);
  return {.name = experiment.name, .resolved = resolved, .hash = content_hash(resolved)};
}

void keep(Store& store, const RollingResult& result, const Report&) {
  store.write_judgement(result);
}
template <class Result>
void keep(Store& store, const Result& result, const Report& report) {
  store.write_judgement(report, !result.interrupted);
}

std::string store_of(const Experiment& experiment, const std::string& results, Shard shard = {}) {
  return store_path(results, name_of(experiment), shard);
}

template <class Kind>
SolvedExperiment judged_from_store(const Kind& experiment, const std::string& name,
                                   const std::string& path, const FileArguments& arguments) {
  ReadOnlyStore kept(path);
  const auto result = run_with_progress(arguments, name, false, [&](RunOptions options) {
    options.archive = &kept;
    return result_of(experiment, options);
  });
  if (!arguments.quiet) {
    if (const std::string why = kept.complaint(); !why.empty())
      fmt::print(stderr, "{}: the stored solves are not used: {}\n", name, printable(why));
    print_reused_solves(name, result.counts);
  }
  return {report_of(result)};
}

template <class Kind>
SolvedExperiment solved_into_store(const Kind& experiment, const std::string& path,
                                   const FileArguments& arguments, const StoreArguments& how) {
  StoredRun run = run_of(experiment);
  run.jobs = arguments.jobs_at_once();
  const auto store = opened_store(path, run, how, arguments.quiet);
  const auto result = run_with_progress(arguments, run.name, true, [&](const RunOptions& options) {
    RunOptions kept = kept_in(*store, how, options);
    kept.curves = true;
    return result_of(experiment, kept);
  });
  const int status = closed_store(run.name, *store, result.counts, arguments.quiet);
  SolvedExperiment found{report_of(result), result.counts, status, !store->read_only()};
  // An interrupted run without numbers must not replace an earlier result.
  if (found.writable && store->failure().empty() &&
      (found.report.has_numbers || !found.report.interrupted))
    keep(*store, result, found.report);
  return found;
}

}  // namespace

SolvedExperiment solve_experiment(const Experiment& experiment, const FileArguments& arguments) {
  return std::visit(
      [&](const auto& one) {
        return judged_from_store(one, name_of(experiment), store_of(experiment, arguments.results),
                                 arguments);
      },
      experiment);
}

SolvedExperiment solve_experiment(const Experiment& experiment, const FileArguments& arguments,
                                  const StoreArguments& store) {
  return std::visit(
      [&](const auto& one) {
        return solved_into_store(one, store_of(experiment, arguments.results), arguments, store);
      },
      experiment);
}

namespace {

/// Moves the finished store of a shard. On failure prints the reason and keeps the local store.
bool moved(PartMover& mover, LocalStores& local) try {
  mover.finish();
  return true;
} catch (const InputError& error) {
  local.keep();
  fmt::print(stderr, "rigidlimit: {}; the solves are in {}: copy it there by hand\n", error.what(),
             local.own());
  return false;
}

template <class Kind>
int solve_part(const Kind& experiment, Shard shard, const std::string& path,
               const FileArguments& arguments, const StoreArguments& how) {
  StoredRun run = run_of(experiment);
  run.jobs = arguments.jobs_at_once();
  run.shard = shard;
  const auto local =
      how.local.empty() ? nullptr : std::make_unique<LocalStores>(how.local, path, how.fresh);
  const auto store = opened_store(local ? local->own() : path, run, how, arguments.quiet);
  const auto mover = local ? std::make_unique<PartMover>(*store, local->folder(), path) : nullptr;
  if (local) local->write_to(*store);
  const SolveCounts counts =
      run_with_progress(arguments, run.name, true, [&](const RunOptions& options) {
        RunOptions of_shard = kept_in(*store, how, options);
        of_shard.shard = shard;
        if (local) of_shard.archive = local.get();
        return do_plan(experiment, of_shard);
      });
  int status = closed_store(run.name, *store, counts, arguments.quiet);
  if (local && !moved(*mover, *local)) status = exit_status::could_not;
  if (!arguments.quiet)
    fmt::print("{}: shard {}/{} has {} solves, {} of them new: {}\n", run.name, shard.index,
               shard.count, counts.computed + counts.reused, counts.computed, path);
  if (counts.missing == 0) return status;
  return InterruptGuard::requested() ? exit_status::interrupted : exit_status::could_not;
}

}  // namespace

int solve_shard_of(const Experiment& experiment, Shard shard, const FileArguments& arguments,
                   const StoreArguments& store) {
  return std::visit(
      [&](const auto& one) {
        return solve_part(one, shard, store_of(experiment, arguments.results, shard), arguments,
                          store);
      },
      experiment);
}

StoredRun stored_run_of(const Experiment& experiment) {
  return std::visit([](const auto& one) { return run_of(one); }, experiment);
}

SolvedExperiment judge_store(const Experiment& experiment, Store& store) {
  return std::visit(
      [&](const auto& one) {
        const auto result = result_of(one, {.archive = &store, .curves = true, .solve = false});
        store.end_run(result.counts);
        const SolvedExperiment found{report_of(result), result.counts};
        keep(store, result, found.report);
        return found;
      },
      experiment);
}

PlanSummary plan_of(const Experiment& experiment, const RunOptions& options) {
  return std::visit([&](const auto& one) { return summary_of(one, options); }, experiment);
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
  options.costs = solve_costs_of(arguments.cost);
  const PlanSummary found = plan_of(experiment, options);
  fmt::print("{}: {} solves{}\n{}{}\n\n", name_of(experiment), found.solves,
             store ? fmt::format(", {} of them stored in {}", found.kept, printable(path)) : "",
             terminal_text(plan_table(found), colour_wanted()), left_text(found.left));
}

}  // namespace

void print_plan(const Experiment& experiment, Shard shard, const FileArguments& arguments,
                const StoreArguments& store) {
  const RunOptions options{.jobs = arguments.jobs_at_once(), .shard = shard};
  print_plan_of(experiment, store_of(experiment, arguments.results, shard), options, store);
}

}  // namespace rigidlimit
