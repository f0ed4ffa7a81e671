// TOML -> Benchmark.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/system_entry.hpp"
#include "rigidlimit/toml/section.hpp"

namespace rigidlimit {

/// Changes of a benchmark's file.
struct BenchmarkReading {
  std::vector<std::string> overrides{};  ///< texts "dotted.key=TOML value"
  /// Apply the file's own short form before the overrides. The name becomes NAME_quick.
  bool quick = false;
};

/// Reads and checks a benchmark; fills in every default:
///
///   [benchmark]  name, kind; question, source; methods = names of the catalogue, or the groups
///                "stiff" and "all"; without = names to remove from a group; quick = """the
///                overrides of the short form, one per line"""
///   [tolerance]  rtol (one, a list, or a grid); atol_factor
///   [step]       h (a list or a grid), for kind order_reduction
///   [judge]      at = "end" or "grid"; samples of the grid
///   [limit]      steps
///   [timing]     repeats, most_seconds
///   [[problem]]  study = FILE (relative to the benchmark's), epsilon, formulations, name;
///                study_text = the text of the study, if FILE need not be read; or
///                chain = [N, …], epsilon, end, name, for kind cost_count; or
///                classical = NAME of the classical catalogue, parameters = {…}, end, name,
///                reference = "quad" or "double"
///
/// A grid is {from, to, count} or {from, to, per_decade}, geometric. Throws as read_rolling_study
/// does; an error in the file of a study is reported with its place there.
Benchmark read_benchmark(const std::string& path, const BenchmarkReading& how = {},
                         const SystemCatalogue& systems = builtin_systems());

/// The same for a parsed document.
Benchmark read_benchmark(const TomlDocument& document,
                         const SystemCatalogue& systems = builtin_systems());

/// The benchmark as a TOML text with every default filled in, grids as lists and the studies of its
/// problems as texts. Reading it gives the same benchmark.
std::string resolved_toml(const Benchmark& benchmark);

/// Reads the problems of a benchmark of this kind; their names are distinct.
std::vector<ProblemSet> read_problems(std::vector<Section> sections, Benchmark::Kind kind,
                                      const SystemCatalogue& systems);

}  // namespace rigidlimit
