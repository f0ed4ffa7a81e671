// Where a number comes from.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/rolling/damping_map.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/report/document.hpp"

namespace rigidlimit {

/// The program that runs (its file's name, and program_code()) and the build of rigidlimit in it:
/// version, commit, compiler, flags, library versions; and the processor.
std::vector<std::pair<std::string, std::string>> build_provenance();

/// The same as a JSON object.
std::string provenance_json();

/// The same into the `provenance` of a document, with the experiment's text and its hash.
void add_provenance(Document& document, const std::string& experiment, const std::string& hash,
                    const std::string& resolved);

/// A name for the resolved study: the UUID (version 5, SHA-1; RFC 4122) of its text. Two studies
/// with the same text, overrides and defaults filled in, have the same hash.
std::string study_hash(const RollingStudy& study);

/// The same for a map.
std::string map_hash(const DampingMap& map);

/// The same for a benchmark; its studies enter by their hashes.
std::string benchmark_hash(const Benchmark& benchmark);

}  // namespace rigidlimit
