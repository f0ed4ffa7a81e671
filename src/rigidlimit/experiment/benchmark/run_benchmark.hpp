// Benchmark -> BenchmarkResult.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark_result.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

namespace rigidlimit {

/// Computes the references and solves every trial, options.jobs at a time; judges the errors; then
/// measures the times, one solve at a time. All results except the times are independent of the
/// number of jobs. A rejected problem or any other failure is a trial with its reason; an
/// interrupted run keeps the finished trials.
BenchmarkResult run_benchmark(const Benchmark& benchmark, const RunOptions& options = {});

/// The same for given problems, instead of Benchmark::problems.
BenchmarkResult run_benchmark(const Benchmark& benchmark, const BenchmarkProblems& problems,
                              const RunOptions& options = {});

}  // namespace rigidlimit
