// The verb that studies friction and impacts.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <variant>

#include "rigidlimit/cli/dry_run.hpp"
#include "rigidlimit/cli/each_file.hpp"
#include "rigidlimit/cli/stored_run.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/record/mode_map_tables.hpp"
#include "rigidlimit/record/output.hpp"
#include "rigidlimit/record/slip_rows.hpp"
#include "rigidlimit/record/slip_tables.hpp"
#include "rigidlimit/slip/read_mode_map.hpp"
#include "rigidlimit/slip/read_slip.hpp"
#include "rigidlimit/slip/run_slip.hpp"
#include "rigidlimit/slip/slip_solves.hpp"

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
  std::string junit;  ///< file for the JUnit XML; empty: none
  bool dry_run = false;
};

/// Prints, writes, and says what the run is worth; `verdict`: what is said where nothing else is.
template <class Result, class Report, class Write>
int hand_out_judged(const SlipArguments& arguments, const Result& result, const Report& report,
                    const Write& write, const std::string& verdict) {
  const int status = hand_out(arguments, result, report, write);
  if (arguments.quiet) fmt::print(stderr, "{}\n", verdict);
  if (status != exit_status::held) return status;
  return result.held() ? exit_status::held : exit_status::not_held;
}

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

int run(const SlipArguments& arguments, const ModeMap& map, std::vector<JunitSuite>& suites) {
  if (arguments.dry_run) {
    fmt::print(
        "{}: {} points, each a rigid and a compliant motion, {} thresholds by bisection\n\n",
        map.name,
        map.starts.size() * map.slopes.size() * map.half_angles.size() * map.frictions.size(),
        map.slopes.size() * map.half_angles.size());
    return exit_status::held;
  }
  const ModeMapResult result = run_with_progress(
      arguments, map.name, [&](const RunOptions& options) { return run_mode_map(map, options); });
  suites.push_back(junit_suite(result));
  return hand_out_judged(arguments, result, mode_map_report, write_mode_map,
                         mode_map_verdict_line(result));
}

/// With results/NAME/results.db as its memory.
int run(const SlipArguments& arguments, const SlipStudy& study, std::vector<JunitSuite>& suites) {
  const std::string path = store_path(arguments.results, study.name);
  if (arguments.dry_run) {
    print_plan(study.name, path, arguments.store, [&](SolveArchive* archive) {
      return plan_of(study, {.jobs = arguments.jobs_at_once(), .archive = archive});
    });
    return exit_status::held;
  }
  const auto store = opened_store(path,
                                  {.name = study.name,
                                   .resolved = resolved_toml(study),
                                   .hash = slip_hash(study),
                                   .jobs = arguments.jobs_at_once()},
                                  arguments.store, arguments.quiet);
  const SlipResult result =
      run_with_progress(arguments, study.name, [&](const RunOptions& options) {
        return run_slip(study, kept_in(*store, arguments.store, options));
      });
  const int status = closed_store(study.name, *store, result.counts, arguments.quiet);
  suites.push_back(junit_suite(result));
  const auto write = [&](const SlipResult& judged, const std::string& directory) {
    if (store->read_only()) return std::string();
    if (store->failure().empty()) store->write_judgement(slip_json(judged), !judged.interrupted);
    return write_slip(judged, directory);
  };
  const int verdict =
      hand_out_judged(arguments, result, slip_report, write, slip_verdict_line(result));
  if (InterruptGuard::requested()) return exit_status::interrupted;
  // Stopped otherwise: nothing can be kept any more.
  return result.interrupted ? exit_status::could_not : std::max(status, verdict);
}

int slip(const SlipArguments& arguments) {
  require_writable(arguments.junit);
  std::vector<JunitSuite> suites;
  std::vector<std::string> errors;
  std::map<std::string, std::string> files;  // by the name of their study
  const int status = for_each_file(
      arguments, "study.name",
      [&](const std::string& file) {
        try {
          StudyOrMap either = read_either(file, arguments);
          files.emplace(name_of(either), file);
          return either;
        } catch (const InputError& error) {
          errors.emplace_back(error.what());
          throw;
        }
      },
      name_of,
      [&](const StudyOrMap& either) {
        const std::size_t before = suites.size();
        const auto begin = std::chrono::steady_clock::now();
        const int of_one =
            std::visit([&](const auto& one) { return run(arguments, one, suites); }, either);
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        if (suites.size() > before) {
          suites.back().file = files[name_of(either)];
          suites.back().seconds = spent.count();
        }
        return of_one;
      });
  if (!arguments.junit.empty()) write_file(arguments.junit, junit_document(suites, errors));
  return status;
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
  add_results(command, *arguments);
  add_store(command, arguments->store);
  command.flag(
      "--dry-run", arguments->dry_run,
      "solve nothing: print what is to be solved, what is kept and how long the rest takes "
      "(a map of modes keeps nothing)");
  command.option("--junit", arguments->junit, "write a JUnit XML report").value("FILE");
  return {command, [arguments] { return slip(*arguments); }};
}

}  // namespace rigidlimit
