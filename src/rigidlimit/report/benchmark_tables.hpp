// A benchmark's result as tables for people. Every number in them is one of the CSV's, or fitted to
// them.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark_result.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// Fastest and fewest right-hand sides to each error band (experiment/benchmark/winners.hpp); bands
/// that nobody reaches are left out.
TextTable winner_table(const BenchmarkResult& result);

/// Equal steps: classical order; orders of each group fitted over h ≥ 10 ε at the smallest ε, and
/// over h ≤ ε/5 at the largest ε, that have three points of evidence (two: without standard error);
/// in between the least neighbour order at any ε.
TextTable order_table(const BenchmarkResult& result);

/// Equal steps: for each ε the h/ε at which one order passes into the other, and the h that are a
/// plateau. Rows without either are left out.
TextTable crossover_table(const BenchmarkResult& result);

/// One row a (problem, method, variables), one column an ε: steps, right-hand sides, time, and the
/// largest error of q and v.
TextTable epsilon_table(const BenchmarkResult& result);

/// One row a (method, ε, N): steps, right-hand sides, time, time a step, error; and after each
/// series the exponent p of time a step ~ N^p, fitted over N ≥ 10.
TextTable count_table(const BenchmarkResult& result);

/// Trials that failed, those of one method on one problem that ended in the same way in one row:
/// how many, at which ε, and of the first of them the reason, the setting, the last t and h.
TextTable failure_table(const BenchmarkResult& result);

/// Of each reference its error bars.
TextTable reference_table(const BenchmarkResult& result);

}  // namespace rigidlimit
