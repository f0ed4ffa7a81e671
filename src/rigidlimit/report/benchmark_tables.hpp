// A benchmark's result as tables. Every number is one of the CSV's or fitted to them.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// The fastest method and the fewest right-hand sides for each error band
/// (experiment/benchmark/judge_benchmark.hpp); bands that no method reaches are left out.
TextTable winner_table(const BenchmarkResult& result);

/// Equal steps: classical order; fitted orders of each group over h ≥ 10 ε at the smallest ε and
/// over h ≤ ε/5 at the largest ε with three points of evidence (with two: without standard error);
/// the smallest neighbour order at any ε between these ranges.
TextTable order_table(const BenchmarkResult& result);

/// Equal steps: for each ε the h/ε of the transition between the orders, and the h of a plateau.
/// Rows without either are left out.
TextTable crossover_table(const BenchmarkResult& result);

/// One row per (problem, method, variables), one column per ε: steps, right-hand sides, time, and
/// the largest error of q and v.
TextTable epsilon_table(const BenchmarkResult& result);

/// One row per (method, ε, N): steps, right-hand sides, time, time per step, error; after each
/// series the exponent p of time per step ~ N^p, fitted over N ≥ 10.
TextTable count_table(const BenchmarkResult& result);

/// Failed trials. Trials of one method on one problem with the same outcome share a row: their
/// number, their ε, and the reason, setting, last t and h of the first.
TextTable failure_table(const BenchmarkResult& result);

/// The error bars of each reference.
TextTable reference_table(const BenchmarkResult& result);

/// Why a trial failed, on one line; empty on success.
std::string reason_text(const Trial& trial);

/// "at the end", or the number of times.
std::string judged_text(const Benchmark& benchmark);

}  // namespace rigidlimit
