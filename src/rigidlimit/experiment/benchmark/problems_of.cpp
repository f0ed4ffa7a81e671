#include "rigidlimit/experiment/benchmark/problems_of.hpp"

namespace rigidlimit {

BenchmarkProblems problems_of(const Benchmark& benchmark) {
  BenchmarkProblems all;
  for (const ProblemSet& set : benchmark.problems)
    std::visit([&](const auto& one) { add_problems(one, benchmark.samples, all); }, set);
  return all;
}

std::vector<double> judged_times(double end, int samples) {
  std::vector<double> times;
  for (int k = 1; k < samples; ++k) times.push_back(end * k / samples);
  times.push_back(end);
  return times;
}

}  // namespace rigidlimit
