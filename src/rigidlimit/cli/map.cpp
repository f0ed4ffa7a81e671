// The verb that maps how error, order and coefficient depend on the damping.
#include <CLI/CLI.hpp>
#include <memory>

#include "rigidlimit/cli/each_file.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/record/map_tables.hpp"
#include "rigidlimit/study/read_map.hpp"

namespace rigidlimit {

namespace {

int map(const FileArguments& arguments) {
  return for_each_file(
      arguments, "study.name",
      [&](const std::string& file) {
        return read_map(file, arguments.overrides, *arguments.systems);
      },
      [](const DampingMap& map) { return map.study.name; },
      [&](const DampingMap& map) {
        const MapResult result =
            run_with_progress(arguments, map.study.name,
                              [&](const RunOptions& options) { return run_map(map, options); });
        return hand_out(arguments, result, map_report, write_map);
      });
}

}  // namespace

Verb add_map(CLI::App& program, const SystemCatalogue& systems) {
  CLI::App& app = *program.add_subcommand(
      "map", "Run studies over a grid of dampings: maps of error and order, and the best damping");
  const auto arguments = std::make_shared<FileArguments>();
  arguments->systems = &systems;
  add_files(app, *arguments);
  add_jobs(app, *arguments);
  add_quiet(app, *arguments, "nothing but files and the exit status");
  add_results(app, *arguments);
  return {&app, [arguments] { return map(*arguments); }};
}

}  // namespace rigidlimit
