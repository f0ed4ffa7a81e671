// The problems of a benchmark.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_problem.hpp"

namespace rigidlimit {

/// Makes all problems of a benchmark, without solving: by set, ε (chains: ε, then N) and
/// formulation. Formulations of one motion share a reference.
BenchmarkProblems problems_of(const Benchmark& benchmark);

/// The times of the judged errors: `end` alone, or `samples` equally spaced times up to it.
std::vector<double> judged_times(double end, int samples);

/// Adds the problems of one set, by kind.
void add_problems(const ContactSet& set, int samples, BenchmarkProblems& all);
void add_problems(const ChainSet& set, int samples, BenchmarkProblems& all);
/// Judged at its end only, where the reference is.
void add_problems(const ClassicalSet& set, int samples, BenchmarkProblems& all);

}  // namespace rigidlimit
