// The verb that judges: verdicts, and an exit status for scripts and CI.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
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
  CLI::App& app = *program.add_subcommand(
      "check", "Run studies and print the verdicts only: exit 0 held, 1 not held, 2 could not run");
  app.footer(footer);
  const auto arguments = std::make_shared<CheckArguments>();
  arguments->systems = &systems;
  add_files(app, *arguments);
  add_jobs(app, *arguments);
  add_quiet(app, *arguments, "nothing but the exit status");
  app.add_option("--junit", arguments->junit, "write a JUnit XML report")->type_name("FILE");
  return {&app, [arguments] { return check(*arguments); }};
}

}  // namespace rigidlimit
