// Benchmark -> BenchmarkResult.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark_result.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

namespace rigidlimit {

/// Finds the references and solves every trial, options.jobs at a time, and judges the errors;
/// then takes the times, one solve at a time. Everything but the times is the same for any number
/// of jobs. A method that refuses a problem, and any other failure, is a trial with its reason; an
/// interrupted run keeps the trials finished so far.
BenchmarkResult run_benchmark(const Benchmark& benchmark, const RunOptions& options = {});

/// The same on problems from elsewhere, whatever Benchmark::problems says.
BenchmarkResult run_benchmark(const Benchmark& benchmark, const BenchmarkProblems& problems,
                              const RunOptions& options = {});

}  // namespace rigidlimit
