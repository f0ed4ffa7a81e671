// The verb that studies friction and impacts.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <variant>

#include "rigidlimit/cli/each_file.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/record/mode_map_tables.hpp"
#include "rigidlimit/record/output.hpp"
#include "rigidlimit/record/slip_tables.hpp"
#include "rigidlimit/slip/read_mode_map.hpp"
#include "rigidlimit/slip/read_slip.hpp"
#include "rigidlimit/slip/run_slip.hpp"

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
  std::string junit;  ///< file for the JUnit XML; empty: none
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

StudyOrMap read_either(const std::string& file, const std::vector<std::string>& overrides) {
  const TomlDocument document = TomlDocument::from_file(file, overrides);
  if (document.root().has_table("map")) return read_mode_map(document);
  return read_slip(file, overrides);
}

int run(const SlipArguments& arguments, const ModeMap& map, std::vector<JunitSuite>& suites) {
  const ModeMapResult result = run_with_progress(
      arguments, map.name, [&](const RunOptions& options) { return run_mode_map(map, options); });
  suites.push_back(junit_suite(result));
  return hand_out_judged(arguments, result, mode_map_report, write_mode_map,
                         mode_map_verdict_line(result));
}

int run(const SlipArguments& arguments, const SlipStudy& study, std::vector<JunitSuite>& suites) {
  const SlipResult result = run_with_progress(
      arguments, study.name, [&](const RunOptions& options) { return run_slip(study, options); });
  suites.push_back(junit_suite(result));
  return hand_out_judged(arguments, result, slip_report, write_slip, slip_verdict_line(result));
}

int slip(const SlipArguments& arguments) {
  std::vector<JunitSuite> suites;
  std::vector<std::string> errors;
  const int status = for_each_file(
      arguments, "study.name",
      [&](const std::string& file) {
        try {
          return read_either(file, arguments.overrides);
        } catch (const InputError& error) {
          errors.emplace_back(error.what());
          throw;
        }
      },
      [](const StudyOrMap& either) {
        return std::visit([](const auto& one) { return one.name; }, either);
      },
      [&](const StudyOrMap& either) {
        return std::visit([&](const auto& one) { return run(arguments, one, suites); }, either);
      });
  if (!arguments.junit.empty()) write_file(arguments.junit, junit_document(suites, errors));
  return status;
}

}  // namespace

Verb add_slip(CLI::App& program, const SystemCatalogue& systems) {
  CLI::App& app = *program.add_subcommand(
      "slip", "Studies with friction and impacts: slipping, sticking, striking against rolling");
  const auto arguments = std::make_shared<SlipArguments>();
  arguments->systems = &systems;
  add_files(app, *arguments);
  add_jobs(app, *arguments);
  add_quiet(app, *arguments, "only the verdicts, on standard error");
  add_results(app, *arguments);
  app.add_option("--junit", arguments->junit, "write a JUnit XML report")->type_name("FILE");
  app.footer(footer);
  return {&app, [arguments] { return slip(*arguments); }};
}

}  // namespace rigidlimit
