// The verb that maps how error, order and coefficient depend on the damping.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "rigidlimit/cli/each_file.hpp"
#include "rigidlimit/cli/reporter.hpp"
#include "rigidlimit/cli/stored_run.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/record/provenance.hpp"
#include "rigidlimit/record/reports.hpp"
#include "rigidlimit/study/read_map.hpp"

namespace rigidlimit {

namespace {

constexpr const char* footer =
    "A file with [map]: dampings (and exponents), or springs and dampers in N/m and N s/m. Writes\n"
    "map.txt, map.csv, best_damping.csv, map.json and the resolved map.toml to results/NAME/.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit map experiments/maps/knife_edge_damping.toml\n"
    "  rigidlimit init my_map --system wheel --kind map\n"
    "  rigidlimit map my_map.toml --jobs 2\n"
    "  scripts/plot damping_map results/knife_edge_damping";

struct MapArguments : FileArguments {
  StoreArguments store;
  OutputArguments output;
};

/// With results/NAME/solves.db as its memory.
int run_one(const DampingMap& map, const std::string& file, const MapArguments& arguments,
            Reporter& reporter) {
  const std::string& name = map.study.name;
  const auto begin = std::chrono::steady_clock::now();
  const auto store =
      opened_store((std::filesystem::path(arguments.results) / name / "solves.db").string(),
                   {.name = name,
                    .resolved = resolved_toml(map),
                    .hash = map_hash(map),
                    .jobs = arguments.jobs_at_once()},
                   arguments.store, arguments.quiet);
  const MapResult result = run_with_progress(arguments, name, [&](const RunOptions& options) {
    return run_map(map, kept_in(*store, arguments.store, options));
  });
  const int status = closed_store(name, *store, result.counts, arguments.quiet);
  Report report = report_of(result);
  const int verdict = status_of(report);
  write_into(*store, report, !result.interrupted);
  if (!store->read_only())
    write_and_say(report, directory_of(arguments.results, report), arguments.quiet);
  reporter.take(std::move(report), file, begin);
  return std::max(status, verdict);
}

int map(const MapArguments& arguments) {
  Reporter reporter(arguments.output, arguments.quiet);
  return for_each_file(
      arguments, "study.name",
      [&](const std::string& file) {
        return read_map(file, arguments.overrides, *arguments.systems);
      },
      [](const DampingMap& map) { return map.study.name; },
      [&](const DampingMap& map, const std::string& file) {
        return run_one(map, file, arguments, reporter);
      },
      reporter);
}

}  // namespace

Verb add_map(CLI::App& program, const SystemCatalogue& systems) {
  Command command(
      program, "map",
      "Run studies over a grid of dampings: maps of error and order, and the best damping", footer);
  const auto arguments = std::make_shared<MapArguments>();
  arguments->systems = &systems;
  add_files(command, *arguments);
  add_jobs(command, *arguments);
  add_quiet(command, *arguments, "nothing but files and the exit status");
  add_output(command, arguments->output);
  add_results(command, *arguments);
  add_store(command, arguments->store);
  return {command, [arguments] { return map(*arguments); }};
}

}  // namespace rigidlimit
