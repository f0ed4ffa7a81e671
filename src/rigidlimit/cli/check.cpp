// The verb that judges: verdicts, and an exit status for scripts and CI.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "rigidlimit/cli/session.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/record/output.hpp"
#include "rigidlimit/record/rows.hpp"
#include "rigidlimit/record/tables.hpp"

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
  std::string junit;  ///< file for the JUnit XML; empty: none
};

int check(const CheckArguments& arguments) {
  require_writable(arguments.junit);
  Session session(arguments);
  const InterruptGuard interrupt;
  std::vector<JunitSuite> suites;
  for (const Study& study : session.studies()) {
    if (!study.demands_something()) {
      session.complain(study.name +
                       ": has no [[expect]] and no [[bound]]: there is nothing to check");
      continue;
    }
    const auto begin = std::chrono::steady_clock::now();
    const std::optional<StudyResult> result = session.solve(study);
    if (!result) continue;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (!arguments.quiet) fmt::print("{}\n", verdict_line(*result));
    suites.push_back(junit_suite(*result));
    suites.back().file = session.file_of(study.name);
    suites.back().seconds = spent.count();
    if (result->interrupted) break;
  }
  if (!arguments.junit.empty())
    write_file(arguments.junit, junit_document(suites, session.complaints()));
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
  command.option("--junit", arguments->junit, "write a JUnit XML report").value("FILE");
  return {command, [arguments] { return check(*arguments); }};
}

}  // namespace rigidlimit
