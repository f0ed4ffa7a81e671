// Benchmark -> BenchmarkResult.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_tasks.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"

namespace rigidlimit {

/// The solves of a benchmark: references and trials, then the times, one problem at a time.
class BenchmarkPlan final : public SolvePlan {
 public:
  /// Refers to both arguments. Throws InputError for a shard of a benchmark with times: times of
  /// different machines are not comparable.
  BenchmarkPlan(const Benchmark& benchmark, const RunOptions& options);
  /// The same on given problems.
  BenchmarkPlan(const Benchmark& benchmark, BenchmarkProblems problems, const RunOptions& options);

  SolveStage next_stage() override;

  /// Judges every trial against its reference. A failed solve gives a row with its outcome; without
  /// some of the solves the other rows remain.
  BenchmarkResult judged(const SolveCounts& counts) const;

 private:
  BenchmarkTasks tasks_;
  bool begun_ = false;
};

/// The result of BenchmarkPlan. Errors do not depend on options.jobs.
BenchmarkResult run_benchmark(const Benchmark& benchmark, const RunOptions& options = {});

/// The same on given problems.
BenchmarkResult run_benchmark(const Benchmark& benchmark, const BenchmarkProblems& problems,
                              const RunOptions& options = {});

}  // namespace rigidlimit
