// The verb that counts: steps by formulation and ε.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verbs.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/record/step_table.hpp"
#include "rigidlimit/study/read_study.hpp"
#include "rigidlimit/study/step_counts.hpp"

namespace rigidlimit {

namespace {

void print_tables(const Study& study, const std::vector<StepCount>& counts) {
  const Tolerance tolerance = study.solvers.tolerance_of(study.solvers.compliant.front(), false);
  fmt::print("{}: steps (rejected) to t = {:.4g} s, rtol {:.0e}, atol {:.0e}\n{}\n", study.name,
             study.time.end, tolerance.rtol, tolerance.atol,
             terminal_text(step_table(counts), colour_wanted()));
  fmt::print("evaluations of the right-hand side, and time\n{}\n",
             terminal_text(work_table(counts), colour_wanted()));
}

/// Whether every solver keeps to `at_most` steps a decade in the study's own formulation; says so
/// of each.
bool within_growth(const Study& study, const std::vector<StepCount>& counts, double at_most) {
  bool held = true;
  for (const StepGrowth& growth : step_growth(counts)) {
    if (growth.formulation != study.solvers.settings_of(growth.solver).formulation) continue;
    const bool fine = growth.per_decade <= at_most;  // false for NaN: a solve failed
    fmt::print("{}: {}, {}: {:.2f} steps a decade of ε, at most {:.4g} allowed: {}\n", study.name,
               growth.solver, name_of(growth.formulation), growth.per_decade, at_most,
               fine ? "held" : "not held");
    held = held && fine;
  }
  return held;
}

}  // namespace

int steps(const StepsVerb& verb) {
  const InterruptGuard interrupt;
  int status = exit_status::held;
  for (const std::string& file : verb.files) {
    const Study study = read_study(file, verb.overrides, *verb.systems);
    ProgressLine progress(!verb.no_progress);
    RunOptions options;
    options.stop_requested = InterruptGuard::requested;
    options.on_progress = [&](int done, int total, const std::string& what) {
      progress.show(study.name, done, total, what);
    };
    const std::vector<StepCount> counts = count_steps(study, options);
    progress.clear();
    if (verb.csv)
      fmt::print("{}", step_csv(study.name, counts));
    else if (!counts.empty())
      print_tables(study, counts);
    if (InterruptGuard::requested()) return exit_status::interrupted;
    if (!std::isnan(verb.at_most) && !within_growth(study, counts, verb.at_most))
      status = exit_status::not_held;
  }
  return status;
}

}  // namespace rigidlimit
