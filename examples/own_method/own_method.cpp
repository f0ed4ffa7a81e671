// A benchmark of a user-defined method and the methods in its file: own_method FILE DIRECTORY.
#include <cstdio>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/run_benchmark.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/report/reports.hpp"
#include "sdirk2.hpp"

int main(int argc, char** argv) try {
  if (argc != 3) throw rigidlimit::InputError("usage: own_method FILE.toml DIRECTORY");
  rigidlimit::Benchmark benchmark = rigidlimit::read_benchmark(argv[1]);
  benchmark.methods.push_back(&own::sdirk2);
  const rigidlimit::BenchmarkResult result = rigidlimit::run_benchmark(benchmark);
  rigidlimit::write_report(rigidlimit::report_of(result), argv[2]);
  return 0;
} catch (const rigidlimit::InputError& error) {  // with file, line, key and valid range
  std::fprintf(stderr, "own_method: %s\n", error.what());
  return 2;
}
