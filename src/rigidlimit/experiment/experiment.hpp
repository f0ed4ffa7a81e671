// Experiments of every kind: one row of a table for each kind. An experiment is read, planned and
// judged here.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"
#include "rigidlimit/experiment/plan/sweep.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"

namespace rigidlimit {

struct Experiment;
struct Kind;

/// A sweep: experiments of one kind, one for each point of a grid, whose equal solves run once.
struct Sweep {
  SweepGrid grid;
  std::vector<Experiment> points;
};

/// An experiment of any kind as plain data, with all defaults filled in.
struct Experiment {
  using Spec = std::variant<RollingStudy, FrictionStudy, Benchmark, Sweep>;

  const Kind* kind = nullptr;
  std::string name;
  std::string question;
  std::vector<std::string>
      systems;                     ///< of a sweep, that of its first point; problems of a benchmark
  std::string resolved;            ///< its file with every default filled in
  bool demands_something = false;  ///< it has expectations, bounds or claims
  std::vector<std::string> warnings = {};  ///< SystemEntry::warnings of its system
  /// Whether every program can read it: its system is of the library or written in the file.
  bool portable = true;
  std::shared_ptr<const Spec> spec = nullptr;

  bool is_sweep() const { return std::holds_alternative<Sweep>(*spec); }
};

struct Kind {
  const char* name;  ///< "rolling"
  /// Whether a document is of this kind; the first kind that fits has it.
  bool (*fits)(const TomlDocument& document, const SystemCatalogue& systems);
  /// One experiment, not a sweep. Throws InputError with file, line, key and value.
  Experiment (*read)(const TomlDocument& document, const SystemCatalogue& systems);
};

/// The result of one experiment, such as a point of a sweep.
using PointResult = std::variant<RollingResult, FrictionResult, BenchmarkResult>;

/// The result at one point of a sweep.
struct SweptResult {
  SweepPoint values;
  std::optional<PointResult> result{};  ///< empty: not begun, or failed with `complaint`
  std::string complaint{};
};

struct SweepResult {
  std::string kind;  ///< Kind::name
  std::string name;
  std::string question;
  SweepGrid grid;
  std::string resolved;
  std::vector<SweptResult> points;
  bool interrupted = false;
  SolveCounts counts{};  ///< a solve shared by several points counts once
};

using ExperimentResult = std::variant<RollingResult, FrictionResult, BenchmarkResult, SweepResult>;

/// The solves of an experiment, and the judgement of their results.
class ExperimentPlan : public SolvePlan {
 public:
  virtual ExperimentResult judged(const SolveCounts& counts) = 0;
};

/// The experiment in a document. Throws InputError.
Experiment read_experiment(const TomlDocument& document, const SystemCatalogue& systems);

/// A benchmark that was read from its file, with its short form or not.
Experiment experiment_of(Benchmark benchmark);

/// Refers to the experiment.
std::unique_ptr<ExperimentPlan> plan_for(const Experiment& experiment, const RunOptions& options);

/// Runs the solves on options.jobs threads, or takes them from options.archive, and judges them.
/// The result does not depend on either.
ExperimentResult result_of(const Experiment& experiment, const RunOptions& options);

/// Reads a file of any kind. `overrides`: texts "dotted.key=TOML value"; `quick`: the short form of
/// a benchmark. Throws InputError with file, line, key and value; for a missing file with files of
/// the same name nearby.
Experiment read_experiment(const std::string& file, const std::vector<std::string>& overrides,
                           const SystemCatalogue& systems, bool quick = false);

}  // namespace rigidlimit
