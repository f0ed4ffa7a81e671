// The subcommand `check`: verdicts, and an exit status for scripts and CI.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "rigidlimit/cli/for_each_experiment.hpp"
#include "rigidlimit/cli/solve_experiment.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

namespace {

constexpr const char* footer =
    "What 'run' has kept of an experiment is judged and only the rest is solved; nothing is\n"
    "written but the report that --junit asks for. Where no solve arrives, the cases are errors in "
    "the\n"
    "report, as the exit status is 2.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit check experiments/convergence/knife_edge.toml\n"
    "  rigidlimit check experiments/convergence/*.toml --junit report.xml\n"
    "  rigidlimit check experiments/convergence/knife_edge.toml --results none   # solves "
    "everything\n"
    "  rigidlimit check my_study.toml --set epsilon.count=5 --quiet && echo held";

struct CheckArguments : FileArguments {
  OutputArguments output;
};

int check_one(const CheckArguments& arguments, const FromFile& from, Reporter& reporter) {
  if (!demands_something(from.experiment))
    throw InputError("has no [[expect]] and no [[bound]]: there is nothing to check");
  const auto begin = std::chrono::steady_clock::now();
  Report report = solve_experiment(from.experiment, arguments).report;
  const int status = status_of(report);
  if (!arguments.quiet) fmt::print("{}\n", report.verdict);
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
  Command command(
      program, "check",
      "Judge experiments and print the verdicts only: exit 0 held, 1 not held, 2 could not run",
      footer);
  const auto arguments = std::make_shared<CheckArguments>();
  arguments->systems = &systems;
  add_files(command, *arguments);
  add_jobs(command, *arguments);
  add_quiet(command, *arguments, "nothing but the exit status");
  add_junit(command, arguments->output);
  add_results(command, *arguments);
  return {command, [arguments] { return check(*arguments); }};
}

}  // namespace rigidlimit
