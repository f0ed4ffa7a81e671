// The subcommand `check`: verdicts, and an exit status for scripts and CI.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "rigidlimit/cli/solve_experiment.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/standard_streams.hpp"

namespace rigidlimit {

namespace {

constexpr const char* check_footer =
    "Solves stored by 'run' are reused, and only the missing ones are solved. Nothing\n"
    "is written except the report of --junit.\n"
    "\n"
    "Exit status: 0 every expectation held, 1 not held, 2 could not run (the report\n"
    "of --junit then lists the cases as errors), 130 interrupted.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit check knife_edge\n"
    "  rigidlimit check knife_edge wheel --junit report.xml\n"
    "  rigidlimit check my_study.toml --set epsilon.count=5 --quiet && echo held\n"
    "  rigidlimit check my_study.toml --results none    # solves everything";

struct CheckArguments : FileArguments {
  OutputArguments output;
};

int check_one(const CheckArguments& arguments, const FromFile& from, Reporter& reporter) {
  if (!from.experiment.demands_something)
    throw InputError(
        "makes no claim, so there is nothing to check: add an [[expect]] or a [[bound]], or use "
        "'rigidlimit run', as for a benchmark, which has none");
  const auto begin = std::chrono::steady_clock::now();
  Result report = solve_experiment(from.experiment, arguments);
  const int status = status_of(report);
  if (!arguments.quiet) print_text(folded(report.verdict, STDOUT_FILENO) + "\n");
  report.verdict.clear();
  reporter.take(std::move(report), from.file, begin);
  return status;
}

int check(const CheckArguments& arguments) {
  Reporter reporter(arguments.output, true);
  return for_each_experiment(arguments, false, reporter, [&](const FromFile& from) {
    return check_one(arguments, from, reporter);
  });
}

}  // namespace

Subcommand add_check(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "check",
                  "Judge experiments; print only the verdicts and set the exit status",
                  check_footer);
  const auto arguments = std::make_shared<CheckArguments>();
  arguments->systems = &systems;
  add_files(command, *arguments);
  add_jobs(command, *arguments);
  add_quiet(command, *arguments, "print nothing; only set the exit status");
  add_junit(command, arguments->output);
  add_results(command, *arguments);
  return {command, [arguments] { return check(*arguments); }};
}

}  // namespace rigidlimit
