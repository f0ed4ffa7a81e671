// Experiments of any kind; the kind follows from the content of the file.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/plan/sweep.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

using Experiment =
    std::variant<RollingStudy, FrictionStudy, Benchmark, Sweep<RollingStudy>, Sweep<FrictionStudy>>;

struct FromFile {
  Experiment experiment;
  std::string file;
};

std::string name_of(const Experiment& experiment);

/// Whether it has expectations: orders, bounds, a history.
bool demands_something(const Experiment& experiment);

/// The experiment in a text. Throws InputError.
Experiment read_experiment(const TomlDocument& document, const SystemCatalogue& systems);

/// Reads a file. `quick`: the short form of a benchmark. Throws InputError.
Experiment read_experiment(const std::string& file, const FileArguments& arguments, bool quick);

/// Reads all files, in their order. Calls `refuse` with the reason for a file that cannot be read,
/// and for a second file of the same name, since their results would share a directory.
std::vector<FromFile> read_experiments(const FileArguments& arguments, bool quick,
                                       const std::function<void(const std::string&)>& refuse);

}  // namespace rigidlimit
