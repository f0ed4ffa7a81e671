#include "rigidlimit/cli/solve_experiment.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/reporter.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/memory_message.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/experiment/plan/plan_table.hpp"
#include "rigidlimit/result/view.hpp"
#include "rigidlimit/store/stored_run.hpp"

namespace rigidlimit {

namespace {

/// Asks on a terminal for confirmation of --fresh; throws InputError without a terminal.
bool may_forget(int solves, const std::string& path, bool yes) {
  if (yes || solves == 0) return true;
  if (isatty(STDIN_FILENO) == 0)
    throw InputError(fmt::format("has {} finished solves, which --fresh would delete: add --yes to "
                                 "confirm, as standard input is not a terminal",
                                 solves),
                     path);
  print_message("{} has {} finished solves. Delete them and start over? [y/N] ", path, solves);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

/// The store contains the solves of all variants, but one table and one set of files.
void print_replaced_run(const Store& store, const StoredRun& run) {
  const std::string changes = replaced_values(store, run);
  if (changes.empty()) return;
  print_message(
      "{0}: replaces the tables of another variant: {1}. Its solves are kept; to keep its "
      "tables as well, rename this run with --set 'study.name=\"{0}_2\"'\n",
      run.name, changes);
}

}  // namespace

std::unique_ptr<Store> opened_store(const std::string& path, const StoredRun& run,
                                    const StoreArguments& arguments, bool quiet) {
  auto store = std::make_unique<Store>(path, Store::Access::write);
  if (arguments.fresh) {
    if (!may_forget(store->finished(), path, arguments.yes)) throw InputError("is unchanged", path);
    store->clear();
  } else if (!quiet) {
    print_replaced_run(*store, run);
  }
  store->begin_run(run);
  return store;
}

int status_of(const std::string& name, const RunEnd& end) {
  int status = exit_status::held;
  if (!end.failure.empty()) {
    print_message("rigidlimit: {}\n", end.failure);
    status = exit_status::could_not;
  }
  for (const Finding& finding : end.findings) {
    print_message("rigidlimit: {}: a repeated solve has another result: {}: {}\n", name,
                  finding.solve, finding.what);
    status = std::max(status, exit_status::not_held);
  }
  return status;
}

void print_reused_solves(const std::string& name, const SolveCounts& counts) {
  if (counts.reused > 0)
    print_message("{}: {} of {} solves were reused from the store\n", name, counts.reused,
                  counts.reused + counts.computed + counts.missing);
}

Shard shard_of(const std::string& text) {
  constexpr int most = 10'000;
  Shard shard{0, 0};
  const char* const end = text.data() + text.size();
  const auto [slash, bad] = std::from_chars(text.data(), end, shard.index);
  if (bad == std::errc() && slash != end && *slash == '/') {
    const auto [rest, worse] = std::from_chars(slash + 1, end, shard.count);
    if (worse == std::errc() && rest == end && shard.index >= 1 && shard.index <= shard.count &&
        shard.count <= most)
      return shard;
  }
  throw InputError(
      fmt::format("--shard {}: must be k/n with 1 <= k <= n <= {}, e.g. 2/4", text, most));
}

void add_store(Command& command, StoreArguments& arguments) {
  const OptionDeclaration fresh =
      command.flag("--fresh", arguments.fresh, "delete stored solves and start over (asks first)");
  command.flag("--yes", arguments.yes, "with --fresh: do not ask for confirmation").needs(fresh);
  command.flag("--recompute", arguments.recompute, "repeat stored solves and report differences")
      .excludes(fresh);
}

void add_shard(Command& command, StoreArguments& arguments) {
  command.option("--shard", arguments.shard, "solve only part K of N; then 'rigidlimit merge'")
      .value("K/N");
}

Result solve_experiment(const Experiment& experiment, const FileArguments& arguments) {
  ReadOnlyStore kept(store_of(experiment, arguments.results));
  const std::string& name = experiment.name;
  Result judged = run_with_progress(arguments, name, [&](RunOptions options) {
    options.archive = &kept;
    return result_of(experiment, options);
  });
  if (!arguments.quiet) {
    if (const std::string why = kept.complaint(); !why.empty())
      print_message("{}: the stored solves are not used: {}\n", name, why);
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
  return {std::move(found.judged), status, !store->read_only()};
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
    print_output("{}: shard {}/{} has {} solves, {} of them new: {}\n", run.name, shard.index,
                 shard.count, counts.computed + counts.reused, counts.computed, path);
  if (counts.missing == 0) return status;
  return InterruptGuard::requested() ? exit_status::interrupted : exit_status::could_not;
}

namespace {

/// Prints the summary of the plan and of its solves in the store (if any).
void print_plan_of(const Experiment& experiment, const std::string& path, Shard shard,
                   const FileArguments& files, const StoreArguments& arguments) {
  std::error_code ignored;
  std::unique_ptr<Store> store;
  // With --fresh or --recompute the stored solves do not count.
  if (!arguments.fresh && !arguments.recompute && std::filesystem::exists(path, ignored))
    store = std::make_unique<Store>(path, Store::Access::read);
  const PlanSummary found = run_with_progress(
      files, experiment.name,
      [&](RunOptions options) {
        options.archive = store.get();
        options.shard = shard;
        return plan_of(experiment, options);
      },
      "the solves are counted");
  if (InterruptGuard::requested()) return;
  const int left = found.solves - found.kept;
  print_output("{}: {} solves{}\n", experiment.name, found.solves,
               store ? fmt::format(", {} of them stored in {}", found.kept, path) : "");
  print_toned(terminal_text(text_table(plan_table(found)), output_screen()), colour_wanted());
  print_output("{}\n\n", left == 0 ? "nothing to do" : fmt::format("{} solves to do", left));
}

}  // namespace

void print_plan(const Experiment& experiment, Shard shard, const FileArguments& arguments,
                const StoreArguments& store) {
  print_plan_of(experiment, store_of(experiment, arguments.results, shard), shard, arguments,
                store);
}

int for_each_experiment(const FileArguments& arguments, bool quick, Reporter& reporter,
                        const std::function<int(const FromFile&)>& handle) {
  int status = exit_status::held;
  std::vector<std::string> complaints;
  const auto refuse = [&](const std::string& why) {
    print_message("rigidlimit: {}\n", why);
    complaints.push_back(why);
    status = std::max(status, exit_status::could_not);
  };
  const std::vector<FromFile> all = read_experiments(arguments, quick, refuse);
  const InterruptGuard interrupt;
  for (const FromFile& next : all) {
    if (!arguments.quiet)
      for (const std::string& warning : next.experiment.warnings)
        print_message("rigidlimit: warning: {}\n", warning);
    try {
      status = std::max(status, handle(next));
    } catch (const std::exception& e) {
      refuse(fmt::format("{}: {}", next.experiment.name, message_of(e, "this experiment")));
    }
    if (!InterruptGuard::requested()) continue;
    status = exit_status::interrupted;
    break;
  }
  reporter.finish(complaints);
  return status;
}

}  // namespace rigidlimit
