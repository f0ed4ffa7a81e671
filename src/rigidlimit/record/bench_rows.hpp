// A benchmark's result for programs: tidy CSV and JSON.
#pragma once

#include <string>

#include "rigidlimit/bench/bench_result.hpp"

namespace rigidlimit {

/// One line for each trial and group, with the header; 17 digits, "nan" where there is none or
/// where a column has no meaning (epsilon, h, count). `order` is the classical one of the method,
/// observed_ order that of this row against the next larger h. rtol and atol are what the solver
/// was given, equal steps included (an iteration may stop by them); atol is nan where it differs by
/// component.
std::string bench_csv(const BenchResult& result);

/// The same trials, and what the CSV cannot say: how errors and times were measured, references,
/// methods, the resolved benchmark and its studies, provenance.
std::string bench_json(const BenchResult& result);

/// Why a trial failed, on one line without a comma or quote; empty if it did not.
std::string reason_text(const Trial& trial);

/// "at the end", or over how many times.
std::string judged_text(const Benchmark& benchmark);

}  // namespace rigidlimit
