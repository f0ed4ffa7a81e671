// The problems that a benchmark names, made.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_problem.hpp"

namespace rigidlimit {

/// All problems of a benchmark: set by set, ε by ε (of trains: ε by ε, N by N), formulation by
/// formulation; formulations of one motion share a reference. Nothing is solved yet.
BenchmarkProblems problems_of(const Benchmark& benchmark);

/// The times up to `end` at which errors are judged: `end` alone, or `samples` equal parts of it.
std::vector<double> judged_times(double end, int samples);

/// What each kind adds.
void add_problems(const ContactSet& set, int samples, BenchmarkProblems& all);
void add_problems(const ChainSet& set, int samples, BenchmarkProblems& all);
/// Judged at its end only, where its reference is.
void add_problems(const ClassicalSet& set, int samples, BenchmarkProblems& all);

}  // namespace rigidlimit
