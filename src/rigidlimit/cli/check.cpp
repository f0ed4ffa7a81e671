// The verb that judges: verdicts, and an exit status for scripts and CI.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "rigidlimit/cli/session.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/record/output.hpp"
#include "rigidlimit/record/rows.hpp"
#include "rigidlimit/record/tables.hpp"

namespace rigidlimit {

namespace {

struct CheckArguments : FileArguments {
  std::string junit;  ///< file for the JUnit XML; empty: none
};

int check(const CheckArguments& arguments) {
  Session session(arguments);
  const InterruptGuard interrupt;
  std::vector<StudyResult> results;
  for (const Study& study : session.studies()) {
    if (!study.demands_something()) {
      session.complain(study.name +
                       ": has no [[expect]] and no [[bound]]: there is nothing to check");
      continue;
    }
    std::optional<StudyResult> result = session.solve(study);
    if (!result) continue;
    if (!arguments.quiet) fmt::print("{}\n", verdict_line(*result));
    results.push_back(std::move(*result));
    if (results.back().interrupted) break;
  }
  if (!arguments.junit.empty())
    write_file(arguments.junit, junit_text(results, session.complaints()));
  return session.status();
}

}  // namespace

Verb add_check(CLI::App& program, const SystemCatalogue& systems) {
  CLI::App& app = *program.add_subcommand(
      "check", "Run studies and print the verdicts only: exit 0 held, 1 not held, 2 could not run");
  const auto arguments = std::make_shared<CheckArguments>();
  arguments->systems = &systems;
  add_files(app, *arguments);
  add_jobs(app, *arguments);
  add_quiet(app, *arguments, "nothing but the exit status");
  app.add_option("--junit", arguments->junit, "write a JUnit XML report")->type_name("FILE");
  return {&app, [arguments] { return check(*arguments); }};
}

}  // namespace rigidlimit
