// The result of a benchmark as tables and views of them.
#pragma once

#include <memory>
#include <string>

#include "rigidlimit/core/table.hpp"
#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/result/result.hpp"
#include "rigidlimit/result/view.hpp"

namespace rigidlimit {

using SharedBenchmark = std::shared_ptr<const BenchmarkResult>;

/// "errors": a row for each trial and group; NaN for a value without meaning (epsilon, h, count).
/// `order` is the classical order of the method, observed_order that of this row against the next
/// larger h. rtol and atol are the arguments of the solver, also with equal steps (an iteration may
/// stop by them); atol is NaN if it differs by component.
Table error_rows(const SharedBenchmark& result);

/// "trials": a row for each solve, with the errors of its groups.
Table trial_rows(const SharedBenchmark& result);
/// A line for each (problem, method, variables), a column for each ε: steps, right-hand sides,
/// time, and the largest error of q and v.
View epsilon_view(const BenchmarkResult& result);

Table method_rows(const SharedBenchmark& result);

/// "winners": the fastest method and the fewest right-hand sides for each error band
/// (experiment/benchmark/judge_benchmark.hpp); bands that no method reaches are left out.
Table winner_rows(const SharedBenchmark& result);
View winner_view();

/// "orders", of equal steps: classical order; fitted orders of each group over h ≥ 10 ε at the
/// smallest ε and over h ≤ ε/5 at the largest ε with three points of evidence (with two: without
/// standard error); the smallest neighbour order at any ε between these ranges.
Table order_rows(const SharedBenchmark& result);

/// "crossover", of equal steps: for each ε the h/ε of the transition between the orders, and the h
/// of a plateau. Rows without either are left out.
Table crossover_rows(const SharedBenchmark& result);
View crossover_view();

/// "cost": a row for each (method, ε, N): steps, right-hand sides, time, time per step, error;
/// after them, for each series, the exponent p of time per step ~ N^p, fitted over N ≥ 10.
Table count_rows(const SharedBenchmark& result);
View count_view(const BenchmarkResult& result);

/// "failures": failed trials. Trials of one method on one problem with the same outcome share a
/// row: their number, their ε, and the reason, setting, last t and h of the first.
Table failure_rows(const SharedBenchmark& result);
View failure_view();

/// "references": the error bars of each reference.
Table reference_rows(const SharedBenchmark& result);
View reference_view();

/// "published": a row for each value that a source prints for the end of a classical problem, with
/// the reference there (PublishedValue).
Table published_rows(const SharedBenchmark& result);
View published_view();

/// Why a trial failed, on one line; empty on success.
std::string reason_text(const Trial& trial);

/// "at the end", or the number of times.
std::string judged_text(const Benchmark& benchmark);

Result in_tables(BenchmarkResult found);

}  // namespace rigidlimit
