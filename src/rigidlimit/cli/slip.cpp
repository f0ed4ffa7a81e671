// The verb that studies friction and impacts.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <variant>

#include "rigidlimit/cli/dry_run.hpp"
#include "rigidlimit/cli/each_file.hpp"
#include "rigidlimit/cli/reporter.hpp"
#include "rigidlimit/cli/stored_run.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/record/reports.hpp"
#include "rigidlimit/slip/read_mode_map.hpp"
#include "rigidlimit/slip/read_slip.hpp"
#include "rigidlimit/slip/run_slip.hpp"
#include "rigidlimit/slip/slip_solves.hpp"
#include "rigidlimit/study/content_hash.hpp"

namespace rigidlimit {

namespace {

constexpr const char* footer =
    "The rigid motion with its slips, sticks and impacts is found twice, event by event and by\n"
    "time stepping, and where a formula knows it, a third time; the compliant motions at every "
    "eps\n"
    "are compared with it. Prints the events, the errors with their orders, and the times of the\n"
    "events against eps; writes slip.txt, .md, .tex and .json, events.csv, event_times.csv,\n"
    "errors.csv, motions.csv and the resolved slip.toml to results/NAME/.\n"
    "A file with [map] is a map of modes (the ball in a groove): modes.txt, .md, .tex, .json and\n"
    ".csv, thresholds.csv, internal_forces.csv and the resolved modes.toml.\n"
    "What [history] and [[expect]] claim decides the exit status.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit slip experiments/slip/wheel_slip_to_roll.toml\n"
    "  rigidlimit slip experiments/slip/*.toml --quiet --junit slip.xml\n"
    "  rigidlimit slip experiments/slip/maps/two_point_ball.toml\n"
    "  rigidlimit slip experiments/slip/curb_plastic.toml --set system.friction=0.1";

struct SlipArguments : FileArguments {
  StoreArguments store;
  OutputArguments output;
  bool dry_run = false;
};

/// What a file may hold: a study, or with [map] a map of modes.
using StudyOrMap = std::variant<SlipStudy, ModeMap>;

std::string name_of(const StudyOrMap& either) {
  return std::visit([](const auto& one) { return one.name; }, either);
}

StudyOrMap read_either(const std::string& file, const SlipArguments& arguments) {
  const TomlDocument document = TomlDocument::from_file(file, arguments.overrides);
  if (document.root().has_table("map")) return read_mode_map(document);
  return read_slip(file, arguments.overrides, *arguments.systems);
}

void print_plan(const ModeMap& map) {
  fmt::print("{}: {} points, each a rigid and a compliant motion, {} thresholds by bisection\n\n",
             map.name,
             map.starts.size() * map.slopes.size() * map.half_angles.size() * map.frictions.size(),
             map.slopes.size() * map.half_angles.size());
}

void print_plan(const SlipStudy& study, const SlipArguments& arguments) {
  print_plan(study.name, store_path(arguments.results, study.name), arguments.store,
             [&](SolveArchive* archive) {
               return plan_of(study, {.jobs = arguments.jobs_at_once(), .archive = archive});
             });
}

/// A report, and what keeping its solves came to.
struct Judged {
  Report report;
  int status = exit_status::held;
  bool writable = true;
};

Judged judged(const SlipArguments& arguments, const ModeMap& map) {
  return {report_of(run_with_progress(
      arguments, map.name, [&](const RunOptions& options) { return run_mode_map(map, options); }))};
}

/// With results/NAME/results.db as its memory.
Judged judged(const SlipArguments& arguments, const SlipStudy& study) {
  const auto store = opened_store(store_path(arguments.results, study.name),
                                  {.name = study.name,
                                   .resolved = resolved_toml(study),
                                   .hash = content_hash(resolved_toml(study)),
                                   .jobs = arguments.jobs_at_once()},
                                  arguments.store, arguments.quiet);
  const SlipResult result =
      run_with_progress(arguments, study.name, [&](const RunOptions& options) {
        return run_slip(study, kept_in(*store, arguments.store, options));
      });
  const int status = closed_store(study.name, *store, result.counts, arguments.quiet);
  Report report = report_of(result);
  write_into(*store, report, !result.interrupted);
  return {std::move(report), status, !store->read_only()};
}

template <class Experiment>
int run_one(const SlipArguments& arguments, const Experiment& experiment, const std::string& file,
            Reporter& reporter) {
  const auto begin = std::chrono::steady_clock::now();
  Judged found = judged(arguments, experiment);
  const int verdict = status_of(found.report);
  if (found.writable)
    write_and_say(found.report, directory_of(arguments.results, found.report), arguments.quiet);
  reporter.take(std::move(found.report), file, begin);
  return std::max(found.status, verdict);
}

int handled(const SlipArguments& arguments, const StudyOrMap& either, const std::string& file,
            Reporter& reporter) {
  if (!arguments.dry_run)
    return std::visit([&](const auto& one) { return run_one(arguments, one, file, reporter); },
                      either);
  if (const auto* map = std::get_if<ModeMap>(&either))
    print_plan(*map);
  else
    print_plan(std::get<SlipStudy>(either), arguments);
  return exit_status::held;
}

int slip(const SlipArguments& arguments) {
  Reporter reporter(arguments.output, arguments.quiet);
  return for_each_file(
      arguments, "study.name",
      [&](const std::string& file) { return read_either(file, arguments); },
      [](const StudyOrMap& either) { return name_of(either); },
      [&](const StudyOrMap& either, const std::string& file) {
        return handled(arguments, either, file, reporter);
      },
      reporter);
}

}  // namespace

Verb add_slip(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "slip",
                  "Studies with friction and impacts: slipping, sticking, striking against rolling",
                  footer);
  const auto arguments = std::make_shared<SlipArguments>();
  arguments->systems = &systems;
  add_files(command, *arguments);
  add_jobs(command, *arguments);
  add_quiet(command, *arguments, "only the verdicts, on standard error");
  add_output(command, arguments->output);
  add_results(command, *arguments);
  add_store(command, arguments->store);
  command.flag(
      "--dry-run", arguments->dry_run,
      "solve nothing: print what is to be solved, what is kept and how long the rest takes "
      "(a map of modes keeps nothing)");
  return {command, [arguments] { return slip(*arguments); }};
}

}  // namespace rigidlimit
