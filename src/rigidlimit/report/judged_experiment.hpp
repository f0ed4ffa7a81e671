// The report of an experiment of any kind.
#pragma once

#include <vector>

#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

/// The result of any kind.
struct JudgedExperiment {
  Report report;
  SolveCounts counts;
  std::vector<Curve> curves;  ///< of a rolling study, if RunOptions::curves
};

JudgedExperiment judged_experiment(ExperimentResult result);

/// Runs the solves on options.jobs threads, or takes them from options.archive, and judges them.
/// The result does not depend on either.
JudgedExperiment judged_experiment(const Experiment& experiment, const RunOptions& options);

}  // namespace rigidlimit
