// Steps and time of a solve as ε shrinks, by formulation (docs/theory.md, section 11).
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

namespace rigidlimit {

/// Counts and time of one compliant solve.
struct StepCount {
  std::string solver;
  Formulation formulation = Formulation::natural;
  double epsilon = 0.0;
  Outcome outcome = Outcome::not_run;
  std::string message = {};
  Work work = {};
  double milliseconds = 0.0;  ///< of one solve to the end of the study, without output in between
};

/// Growth of the number of steps from the largest ε to the smallest.
struct StepGrowth {
  std::string solver;
  Formulation formulation = Formulation::natural;
  double per_decade = 0.0;  ///< steps per decade of ε; NaN with a failed solve or a single ε
  long rejected = 0;        ///< largest number in one solve
};

/// Every compliant solver of the study in both formulations at every ε, over the whole time at its
/// tolerances; ordered by solver, natural before adapted, largest ε first. There is no rigid side
/// and no output grid, and the solves run one at a time, since their times are compared. If a
/// solver has no form of the problem (refusal_of()), the outcome is Outcome::not_run with the
/// reason.
std::vector<StepCount> count_steps(const RollingStudy& study, const RunOptions& options);

/// One entry for each (solver, formulation) in `counts`, in the same order.
std::vector<StepGrowth> step_growth(const std::vector<StepCount>& counts);

}  // namespace rigidlimit
