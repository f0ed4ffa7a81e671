// The verb that judges: verdicts, and an exit status for scripts and CI.
#include <fmt/format.h>

#include <memory>

#include "rigidlimit/cli/reporter.hpp"
#include "rigidlimit/cli/session.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/record/reports.hpp"

namespace rigidlimit {

namespace {

constexpr const char* footer =
    "Nothing is written but the report that --junit asks for. Where no solve of a study arrives,\n"
    "its cases are errors in the report, as the exit status is 2.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit check experiments/knife_edge.toml\n"
    "  rigidlimit check experiments/*.toml --junit report.xml\n"
    "  rigidlimit check my_study.toml --set epsilon.count=5 --quiet && echo held";

struct CheckArguments : FileArguments {
  OutputArguments output;
};

int check(const CheckArguments& arguments) {
  Reporter reporter(arguments.output, true);
  Session session(arguments);
  const InterruptGuard interrupt;
  for (const Study& study : session.studies()) {
    if (!study.demands_something()) {
      session.complain(study.name +
                       ": has no [[expect]] and no [[bound]]: there is nothing to check");
      continue;
    }
    const auto begin = std::chrono::steady_clock::now();
    const std::optional<StudyResult> result = session.solve(study);
    if (!result) continue;
    Report report = report_of(*result);
    session.raise(status_of(report));
    if (!arguments.quiet) fmt::print("{}\n", report.verdict);
    report.verdict.clear();
    reporter.take(std::move(report), session.file_of(study.name), begin);
    if (result->interrupted) break;
  }
  reporter.finish(session.complaints());
  return session.status();
}

}  // namespace

Verb add_check(CLI::App& program, const SystemCatalogue& systems) {
  Command command(
      program, "check",
      "Run studies and print the verdicts only: exit 0 held, 1 not held, 2 could not run", footer);
  const auto arguments = std::make_shared<CheckArguments>();
  arguments->systems = &systems;
  add_files(command, *arguments);
  add_jobs(command, *arguments);
  add_quiet(command, *arguments, "nothing but the exit status");
  add_junit(command, arguments->output);
  return {command, [arguments] { return check(*arguments); }};
}

}  // namespace rigidlimit
