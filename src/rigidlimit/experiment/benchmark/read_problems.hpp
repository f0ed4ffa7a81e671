// [[problem]] -> ProblemSet.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// Reads the problems of a benchmark of this kind; their names are distinct.
std::vector<ProblemSet> read_problems(std::vector<Section> sections, Benchmark::Kind kind,
                                      const SystemCatalogue& systems);

}  // namespace rigidlimit
