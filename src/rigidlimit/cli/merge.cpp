// The subcommand `merge`: one store from several.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/reporter.hpp"
#include "rigidlimit/cli/solve_experiment.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/report/results_folder.hpp"
#include "rigidlimit/store/store_schema.hpp"
#include "rigidlimit/store/stored_run.hpp"

namespace rigidlimit {

namespace {

constexpr const char* merge_footer =
    "Solves with the same key must have the same result. If two stores differ, the\n"
    "result of the first is kept, the difference is reported and stored in the table\n"
    "'findings', and the exit status is 1. If no solve is missing after the merge,\n"
    "the tables are written as by a single run; otherwise the exit status is 2.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit run study.toml --shard 1/4      # and 2/4, 3/4, 4/4, anywhere\n"
    "  rigidlimit merge results/study             # reads results/study/shards/*.db\n"
    "  rigidlimit merge results/study node7/results.db node8/results.db";

struct MergeArguments {
  const SystemCatalogue* systems = nullptr;
  std::string into;
  std::vector<std::string> stores;
};

/// The stores in the arguments, or the shards in the directory, sorted by name.
std::vector<std::string> sources(const MergeArguments& arguments, const std::string& into) {
  std::vector<std::string> found;
  for (const std::string& text : arguments.stores) found.push_back(store_named(text));
  if (!found.empty()) return found;
  const auto shards = std::filesystem::path(into).parent_path() / "shards";
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(shards, ignored))
    if (entry.path().extension() == ".db") found.push_back(entry.path().string());
  if (found.empty())
    throw InputError(
        "has no shards; name the stores to merge, or solve shards with 'rigidlimit run FILE "
        "--shard K/N'",
        shards.string());
  std::ranges::sort(found);
  return found;
}

/// A store to merge, and its experiment.
struct Source {
  std::string path;
  Experiment experiment;
};

/// The stores in which a run has begun: a part may have been killed while it created its store.
std::vector<Source> begun(const std::vector<std::string>& stores, const SystemCatalogue& systems) {
  std::vector<Source> found;
  for (const std::string& path : stores) {
    try {
      const Store store(path, Store::Access::read);
      if (!store.study().empty()) {
        found.push_back({path, experiment_in(store, path, systems)});
        continue;
      }
    } catch (const EmptyStore&) {  // as without a study
    }
    print_message("{}: no run has begun in it\n", path);
  }
  if (found.empty()) throw InputError("no store has any solve: repeat the runs");
  return found;
}

/// Throws InputError if the experiments of two stores differ.
void require_one_experiment(const std::vector<Source>& stores) {
  const std::string hash = stored_run_of(stores.front().experiment).hash;
  for (const Source& one : stores)
    if (const std::string other = stored_run_of(one.experiment).hash; other != hash)
      throw InputError(fmt::format("is a store of another study than {}: their resolved studies "
                                   "differ (hashes {} and {})",
                                   stores.front().path, other, hash),
                       one.path);
}

/// Writes the tables if no solve is missing; returns the exit status.
int write_merged_results(const Result& report, const std::string& place) {
  if (const int missing = report.counts.missing; missing > 0) {
    print_message(
        "rigidlimit: {}: {} of {} solves are still missing: repeat 'rigidlimit run FILE "
        "--shard K/N' for every shard that did not end; stored solves are not repeated\n",
        report.name, missing, missing + report.counts.reused);
    return exit_status::could_not;
  }
  if (!report.verdict.empty()) print_text(report.verdict + "\n");
  write_and_say(report, place, false);
  return status_of(report);
}

int merge(const MergeArguments& arguments) {
  namespace fs = std::filesystem;
  const bool is_file = fs::path(arguments.into).extension() == ".db";
  const std::string into =
      is_file ? arguments.into : (fs::path(arguments.into) / "results.db").string();
  const fs::path folder = fs::path(into).has_parent_path() ? fs::path(into).parent_path() : ".";
  const ResultsFolder ours(folder.string());  // throws before anything is merged
  const std::vector<Source> stores = begun(sources(arguments, into), *arguments.systems);
  require_one_experiment(stores);
  const Experiment& experiment = stores.front().experiment;
  Store store(into, Store::Access::write);
  if (store.read_only()) throw InputError("is read-only and cannot be merged into", into);
  store.begin_run(stored_run_of(experiment));
  for (const auto& [path, same] : stores) {
    if (fs::equivalent(path, into)) continue;
    print_message("{}: {} solves merged\n", path, store.take_from(path));
  }
  int status = write_merged_results(judge_store(experiment, store), folder.string());
  for (const Finding& finding : store.findings()) {
    print_message("rigidlimit: {}: {}\n", finding.solve, finding.what);
    status = std::max(status, exit_status::not_held);
  }
  return status;
}

}  // namespace

Subcommand add_merge(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "merge",
                  "Merge stores (shards) of the same experiment into one and judge it",
                  merge_footer);
  const auto arguments = std::make_shared<MergeArguments>();
  arguments->systems = &systems;
  command.option("INTO", arguments->into, "results/NAME or a store; created if missing").required();
  command.option("STORE", arguments->stores, "stores or results/NAME (default: shards of INTO)");
  return {command, [arguments] { return merge(*arguments); }};
}

}  // namespace rigidlimit
