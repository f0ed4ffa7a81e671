// The kinds of experiments: one row for each. An experiment of any kind is read, planned and judged
// here.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"
#include "rigidlimit/experiment/plan/sweep.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

struct Kind;

/// An experiment of any kind as plain data, with all defaults filled in.
struct Experiment {
  using Spec = std::variant<RollingStudy, FrictionStudy, Benchmark, Sweep<RollingStudy>,
                            Sweep<FrictionStudy>>;

  const Kind* kind = nullptr;
  std::string name;
  std::string question;
  std::vector<std::string>
      systems;                     ///< of a sweep, that of its first point; problems of a benchmark
  std::string resolved;            ///< its file with every default filled in
  bool demands_something = false;  ///< it has expectations, bounds or claims
  bool is_sweep = false;
  /// Whether every program can read it: its system is of the library or written in the file.
  bool portable = true;
  std::shared_ptr<const Spec> spec = nullptr;
};

/// The result of any kind.
struct JudgedExperiment {
  Report report;
  SolveCounts counts;
  std::vector<Curve> curves;  ///< of a rolling study, if RunOptions::curves
};

/// The solves of an experiment, and the judgement of their results.
class JudgedPlan : public SolvePlan {
 public:
  virtual JudgedExperiment judged(const SolveCounts& counts) = 0;
};

struct Kind {
  const char* name;  ///< "rolling"
  /// Whether a document is of this kind; the first kind that fits has it.
  bool (*fits)(const TomlDocument& document, const SystemCatalogue& systems);
  /// Throws InputError with file, line, key and value.
  Experiment (*read)(const TomlDocument& document, const SystemCatalogue& systems);
};

/// The experiment in a document. Throws InputError.
Experiment read_experiment(const TomlDocument& document, const SystemCatalogue& systems);

/// A benchmark that was read from its file, with its short form or not.
Experiment experiment_of(Benchmark benchmark);

/// Refers to the experiment.
std::unique_ptr<JudgedPlan> plan_for(const Experiment& experiment, const RunOptions& options);

/// Runs the solves on options.jobs threads, or takes them from options.archive, and judges them.
/// The result does not depend on either.
JudgedExperiment judged_experiment(const Experiment& experiment, const RunOptions& options);

}  // namespace rigidlimit
