// A benchmark's result in machine-readable form.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/report/document.hpp"

namespace rigidlimit {

/// One record for each trial and group; NaN for a field without meaning (epsilon, h, count).
/// `order` is the classical order of the method, observed_order that of this record against the
/// next larger h. rtol and atol are the arguments of the solver, also with equal steps (an
/// iteration may stop by them); atol is NaN if it differs by component.
DataTable trials_of(const BenchmarkResult& result);

/// The parts of the document that only benchmarks have: definitions of errors and times,
/// references, methods, trials and resolved studies.
Document document_of(const BenchmarkResult& result);

/// Why a trial failed, on one line; empty on success.
std::string reason_text(const Trial& trial);

/// "at the end", or the number of times.
std::string judged_text(const Benchmark& benchmark);

}  // namespace rigidlimit
