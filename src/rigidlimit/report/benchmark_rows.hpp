// A benchmark's result for programs.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark_result.hpp"
#include "rigidlimit/report/document.hpp"

namespace rigidlimit {

/// One record for each trial and group; NaN where a field has no meaning (epsilon, h, count).
/// `order` is the classical one of the method, observed_order that of this record against the next
/// larger h. rtol and atol are what the solver was given, equal steps included (an iteration may
/// stop by them); atol is NaN where it differs by component.
DataTable trials_of(const BenchmarkResult& result);

/// The same trials, and how errors and times were measured, references, methods, the resolved
/// benchmark and its studies, provenance.
Document document_of(const BenchmarkResult& result);

/// Why a trial failed, on one line; empty if it did not.
std::string reason_text(const Trial& trial);

/// "at the end", or over how many times.
std::string judged_text(const Benchmark& benchmark);

}  // namespace rigidlimit
