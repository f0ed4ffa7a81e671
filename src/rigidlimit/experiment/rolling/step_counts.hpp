// What a solve costs as ε shrinks, by formulation: docs/theory.md, section 11, for any study.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

namespace rigidlimit {

/// One compliant solve, for its cost alone.
struct StepCount {
  std::string solver;
  Formulation formulation = Formulation::natural;
  double epsilon = 0.0;
  Outcome outcome = Outcome::not_run;
  std::string message = {};
  Work work = {};
  double milliseconds = 0.0;  ///< of one solve to the end of the study, no output in between
};

/// How the steps grow from the largest ε to the smallest.
struct StepGrowth {
  std::string solver;
  Formulation formulation = Formulation::natural;
  double per_decade = 0.0;  ///< steps a decade of ε; NaN where a solve failed, or there is one ε
  long rejected = 0;        ///< the most in one solve
};

/// Every compliant solver of the study in both formulations at every ε, from the study's start to
/// its end at its tolerances; solver by solver, natural before adapted, largest ε first. No rigid
/// side, no output grid, one solve at a time (their times are compared). Where the solver lacks its
/// form of the problem (refusal_of()) the count stays Outcome::not_run and its message says so.
std::vector<StepCount> count_steps(const RollingStudy& study, const RunOptions& options);

/// One entry for each (solver, formulation) of `counts`, in their order.
std::vector<StepGrowth> step_growth(const std::vector<StepCount>& counts);

}  // namespace rigidlimit
