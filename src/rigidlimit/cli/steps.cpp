// The subcommand `steps`: step counts by formulation and ε.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <memory>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/step_counts.hpp"
#include "rigidlimit/report/step_table.hpp"

namespace rigidlimit {

namespace {

constexpr const char* footer =
    "Natural variables are (q, v, eta), adapted variables (q, u, w, eta). --at-most\n"
    "limits the growth of the steps in the formulation of the study.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit steps experiments/convergence/knife_edge.toml\n"
    "  rigidlimit steps experiments/convergence/knife_edge.toml \\\n"
    "      --set solvers.rtol=1e-12 --csv\n"
    "  rigidlimit steps experiments/convergence/knife_edge.toml --at-most 30";

struct StepsArguments : FileArguments {
  bool csv = false;
  double at_most = std::nan("");  ///< limit on the growth, steps per decade of ε; NaN: none
};

void print_tables(const RollingStudy& study, const std::vector<StepCount>& counts) {
  const Tolerance tolerance = study.solvers.tolerance_of(study.solvers.compliant.front(), false);
  fmt::print("{}: steps (rejected) to t = {:.4g} s, rtol {:.0e}, atol {:.0e}\n{}\n", study.name,
             study.time.end, tolerance.rtol, tolerance.atol,
             terminal_text(step_table(counts), colour_wanted()));
  fmt::print("right-hand side evaluations and time\n{}\n",
             terminal_text(work_table(counts), colour_wanted()));
}

/// Whether every solver keeps the limit `at_most` in the study's own formulation; prints a line for
/// each.
bool within_growth(const RollingStudy& study, const std::vector<StepCount>& counts,
                   double at_most) {
  bool held = true;
  for (const StepGrowth& growth : step_growth(counts)) {
    if (growth.formulation != study.solvers.settings_of(growth.solver).formulation) continue;
    const bool fine = growth.per_decade <= at_most;  // false for NaN: a solve failed
    fmt::print("{}: {}, {}: {:.2f} steps per decade of ε, at most {:.4g} allowed: {}\n", study.name,
               growth.solver, name_of(growth.formulation), growth.per_decade, at_most,
               fine ? "held" : "not held");
    held = held && fine;
  }
  return held;
}

int steps(const StepsArguments& arguments) {
  const InterruptGuard interrupt;
  int status = exit_status::held;
  for (const std::string& file : arguments.files) {
    const RollingStudy study = read_rolling_study(file, arguments.overrides, *arguments.systems);
    ProgressLine progress(!arguments.no_progress);
    RunOptions options;
    options.stop_requested = InterruptGuard::requested;
    options.on_progress = [&](int done, int total, const std::string& what) {
      progress.show(study.name, done, total, what);
    };
    const std::vector<StepCount> counts = count_steps(study, options);
    progress.clear();
    if (arguments.csv)
      fmt::print("{}", step_csv(study.name, counts));
    else if (!counts.empty())
      print_tables(study, counts);
    if (InterruptGuard::requested()) return exit_status::interrupted;
    if (!std::isnan(arguments.at_most) && !within_growth(study, counts, arguments.at_most))
      status = exit_status::not_held;
  }
  return status;
}

}  // namespace

Subcommand add_steps(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "steps", "Count solver steps by eps in natural and adapted variables",
                  footer);
  const auto arguments = std::make_shared<StepsArguments>();
  arguments->systems = &systems;
  add_files(command, *arguments);
  command.flag("--csv", arguments->csv, "print one CSV line per solve, with all counters");
  command
      .option("--at-most", arguments->at_most, "limit of the growth per decade of eps, else exit 1")
      .value("STEPS");
  return {command, [arguments] { return steps(*arguments); }};
}

}  // namespace rigidlimit
