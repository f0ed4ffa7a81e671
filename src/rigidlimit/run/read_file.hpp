// An experiment from its file.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/report/judged_experiment.hpp"

namespace rigidlimit {

/// Reads a file of any kind. `overrides`: texts "dotted.key=TOML value"; `quick`: the short form of
/// a benchmark. Throws InputError with file, line, key and value; for a missing file with files of
/// the same name nearby.
Experiment read_experiment(const std::string& file, const std::vector<std::string>& overrides,
                           const SystemCatalogue& systems, bool quick = false);

}  // namespace rigidlimit
