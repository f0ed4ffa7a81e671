#include "rigidlimit/store/stored_run.hpp"

#include <filesystem>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/spec/variant.hpp"
#include "rigidlimit/report/results_folder.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"

namespace rigidlimit {

std::string store_named(const std::string& text) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const fs::path& place : {fs::path(text), fs::path("results") / text}) {
    if (fs::is_directory(place, ignored)) return (place / "results.db").string();
  }
  return text;
}

std::string unknown_system(const Store& store, const std::string& path,
                           const SystemCatalogue& systems) {
  const std::string text = store.study();
  if (text.empty()) return {};
  Section system = TomlDocument::from_record(text, path).root().section("system");
  if (is_written(system)) return {};
  const std::string name = system.text("name", "");
  return find_system(systems, name) ? "" : name;
}

Experiment experiment_in(const Store& store, const std::string& path,
                         const SystemCatalogue& systems) {
  const std::string text = store.study();
  if (text.empty())
    throw InputError("has no study yet; solve one with 'rigidlimit run FILE'", path);
  return read_experiment(TomlDocument::from_record(text, path), systems);
}

std::string store_of(const Experiment& experiment, const std::string& results, Shard shard) {
  return store_path(results, experiment.name, shard);
}

std::string store_to_write(const Experiment& experiment, const std::string& results, Shard shard) {
  const std::filesystem::path folder = std::filesystem::path(results) / experiment.name;
  ResultsFolder(folder.string());
  ResultsFolder((folder / "study").string());
  return store_of(experiment, results, shard);
}

StoredRun stored_run_of(const Experiment& experiment) {
  return {.name = experiment.name,
          .resolved = experiment.resolved,
          .hash = content_hash(experiment.resolved)};
}

std::string replaced_values(const Store& store, const StoredRun& run) {
  const std::string before = store.study();
  if (before.empty() || store.read_only()) return {};
  return changed_values(before, run.resolved);
}

RunOptions kept_in(Store& store, RunOptions options) {
  options.archive = &store;
  options.stop_requested = [&store, also = std::move(options.stop_requested)] {
    return !store.failure().empty() || (also && also());
  };
  return options;
}

RunEnd ended_run(Store& store, const SolveCounts& counts) {
  RunEnd end;
  try {
    store.end_run(counts);
  } catch (const InputError& error) {
    end.failure = error.what();
  }
  end.findings = store.findings();
  return end;
}

StoredResult run_in_store(const Experiment& experiment, Store& store, RunOptions options) {
  options.curves = true;
  Result judged = result_of(experiment, kept_in(store, std::move(options)));
  RunEnd end = ended_run(store, judged.counts);
  if (!store.read_only() && store.failure().empty() && (judged.has_numbers || !judged.interrupted))
    store.write_judgement(judged, !experiment.portable);
  return {std::move(judged), std::move(end)};
}

Result judge_store(const Experiment& experiment, Store& store) {
  Result judged = result_of(experiment, {.archive = &store, .curves = true, .solve = false});
  store.end_run(judged.counts);
  store.write_judgement(judged, !experiment.portable);
  return judged;
}

PlanSummary plan_of(const Experiment& experiment, const RunOptions& options) {
  const auto plan = plan_for(experiment, options);
  return summary_of(*plan, options);
}

ReadOnlyStore::ReadOnlyStore(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return;
  try {
    store_ = std::make_unique<Store>(path, Store::Access::read);
  } catch (const InputError& error) {
    complaint_ = error.what();
  }
}

std::string ReadOnlyStore::complaint() const {
  const std::scoped_lock lock(guard_);
  return complaint_;
}

std::optional<SolveRecord> ReadOnlyStore::find(const SolveIdentity& solve, Samples wanted) {
  // No further query after an error: each query to a locked file would wait.
  if (!store_ || !complaint().empty()) return std::nullopt;
  try {
    return store_->find(solve, wanted);
  } catch (const InputError& error) {
    const std::scoped_lock lock(guard_);
    complaint_ = error.what();
    return std::nullopt;
  }
}

}  // namespace rigidlimit
