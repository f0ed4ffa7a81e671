// What a file describes, of whatever kind: what is in it tells which.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/friction/mode_map.hpp"
#include "rigidlimit/experiment/plan/sweep.hpp"
#include "rigidlimit/experiment/rolling/damping_map.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

using Experiment = std::variant<RollingStudy, DampingMap, FrictionStudy, ModeMap, Benchmark,
                                Sweep<RollingStudy>, Sweep<FrictionStudy>>;

struct FromFile {
  Experiment experiment;
  std::string file;
};

std::string name_of(const Experiment& experiment);

/// Something is expected of it: orders, bounds, a history.
bool demands_something(const Experiment& experiment);

/// All but a benchmark, whose problems are in other files. Throws InputError.
Experiment read_experiment(const TomlDocument& document, const SystemCatalogue& systems);

/// Throws InputError. `quick`: of a benchmark its short form.
Experiment read_experiment(const std::string& file, const FileArguments& arguments, bool quick);

/// Of every file that can be read, in their order; the others are told to `refuse`, with the
/// reason, and so is one that has its name from another: their results would share a directory.
std::vector<FromFile> read_experiments(const FileArguments& arguments, bool quick,
                                       const std::function<void(const std::string&)>& refuse);

}  // namespace rigidlimit
