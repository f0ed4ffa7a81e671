// The verb that puts methods on trial.
#include "rigidlimit/bench/read_benchmark.hpp"
#include "rigidlimit/bench/run_benchmark.hpp"
#include "rigidlimit/cli/each_file.hpp"
#include "rigidlimit/cli/verbs.hpp"
#include "rigidlimit/record/bench_report.hpp"

namespace rigidlimit {

int bench(const BenchVerb& verb) {
  return for_each_file(
      verb, "benchmark.name",
      [&](const std::string& file) {
        return read_benchmark(file, {verb.overrides, verb.quick}, *verb.systems);
      },
      [](const Benchmark& benchmark) { return benchmark.name; },
      [&](const Benchmark& benchmark) {
        const BenchResult result = run_with_progress(
            verb, benchmark.name,
            [&](const RunOptions& options) { return run_benchmark(benchmark, options); });
        return hand_out(verb, result, bench_report, write_bench);
      });
}

}  // namespace rigidlimit
