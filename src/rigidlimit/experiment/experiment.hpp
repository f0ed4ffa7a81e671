// Experiments of every kind: read, planned and judged. experiment.cpp alone knows the kinds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/experiment_plan.hpp"
#include "rigidlimit/experiment/plan/sweep.hpp"
#include "rigidlimit/systems/system_entry.hpp"
#include "rigidlimit/toml/section.hpp"

namespace rigidlimit {

struct FrictionStudy;
struct Kind;
struct RollingStudy;
struct Sweep;

/// An experiment of any kind as plain data, with all defaults filled in.
struct Experiment {
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
  std::shared_ptr<const void> spec = nullptr;    ///< what its kind has read; of a sweep nothing
  std::shared_ptr<const Sweep> sweep = nullptr;  ///< nullptr: it is one experiment

  bool is_sweep() const { return sweep != nullptr; }
};

/// A sweep: experiments of one kind, one for each point of a grid, whose equal solves run once.
struct Sweep {
  SweepGrid grid;
  std::vector<Experiment> points;
};

struct Kind {
  const char* name;  ///< "rolling"
  /// Whether a document is of this kind; the first kind that fits has it.
  bool (*fits)(const TomlDocument& document, const SystemCatalogue& systems);
  /// One experiment, not a sweep. Throws InputError with file, line, key and value.
  Experiment (*read)(const TomlDocument& document, const SystemCatalogue& systems);
  /// Its solves, and the judgement of their results. Refers to the experiment.
  std::unique_ptr<ExperimentPlan> (*plan)(const Experiment& experiment, const RunOptions& options);
};

/// The study of a rolling experiment; nullptr for a sweep and for other kinds.
std::shared_ptr<const RollingStudy> rolling_study(const Experiment& experiment);
/// The study of a friction experiment; nullptr for a sweep and for other kinds.
std::shared_ptr<const FrictionStudy> friction_study(const Experiment& experiment);

/// The experiment in a document. Throws InputError.
Experiment read_experiment(const TomlDocument& document, const SystemCatalogue& systems);

/// Reads a file of any kind. `overrides`: texts "dotted.key=TOML value"; `quick`: the short form of
/// a benchmark. Throws InputError with file, line, key and value; for a missing file with files of
/// the same name nearby.
Experiment read_experiment(const std::string& file, const std::vector<std::string>& overrides,
                           const SystemCatalogue& systems, bool quick = false);

/// Refers to the experiment.
std::unique_ptr<ExperimentPlan> plan_for(const Experiment& experiment, const RunOptions& options);

/// Runs the solves on options.jobs threads, or takes them from options.archive, and judges them.
/// The result does not depend on either.
Result result_of(const Experiment& experiment, const RunOptions& options);

}  // namespace rigidlimit
