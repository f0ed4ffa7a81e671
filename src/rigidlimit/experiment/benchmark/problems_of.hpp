// The problems of a benchmark.
#pragma once

#include "rigidlimit/experiment/benchmark/benchmark.hpp"

namespace rigidlimit {

/// Makes all problems of a benchmark, without solving: by set, ε (chains: ε, then N) and
/// formulation. Formulations of one motion share a reference.
BenchmarkProblems problems_of(const Benchmark& benchmark);

}  // namespace rigidlimit
