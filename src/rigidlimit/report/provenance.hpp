// Provenance of the numbers in a report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"

namespace rigidlimit {

/// The running program (file name and program_code()), the build of rigidlimit in it (version,
/// commit, compiler, flags, library versions), and the processor.
std::vector<std::pair<std::string, std::string>> build_provenance();

/// The same as a JSON object.
std::string provenance_json();

/// A hash that identifies a resolved study: the UUID (version 5, SHA-1; RFC 4122) of its text with
/// overrides and defaults filled in.
std::string study_hash(const RollingStudy& study);

/// The same for a benchmark.
std::string benchmark_hash(const Benchmark& benchmark);

}  // namespace rigidlimit
