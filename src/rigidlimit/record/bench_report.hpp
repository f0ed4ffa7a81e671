// A benchmark's result for people: terminal, a page of Markdown, and the files.
#pragma once

#include <string>

#include "rigidlimit/bench/bench_result.hpp"

namespace rigidlimit {

/// The tables of its kind, as text for a terminal.
std::string bench_report(const BenchResult& result, bool colour);

/// The same as a page of Markdown, and how everything was measured.
std::string bench_page(const BenchResult& result);

/// Writes bench.csv, bench.json, bench.toml (the resolved benchmark; studies as the file named
/// them) and page.md to directory/NAME as write_results does, and returns that path. An interrupted
/// result goes to directory/NAME_interrupted: what is in NAME is always complete.
std::string write_bench(const BenchResult& result, const std::string& directory);

}  // namespace rigidlimit
