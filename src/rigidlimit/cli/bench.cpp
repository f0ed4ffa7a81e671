// The verb that puts methods on trial.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "rigidlimit/bench/read_benchmark.hpp"
#include "rigidlimit/bench/run_benchmark.hpp"
#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verbs.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/record/bench_report.hpp"

namespace rigidlimit {

namespace {

int complain(const std::string& message) {
  fmt::print(stderr, "rigidlimit: {}\n", message);
  return exit_status::could_not;
}

BenchResult solve(const Benchmark& benchmark, const BenchVerb& verb) {
  ProgressLine progress(!verb.no_progress && !verb.quiet);
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  try {
    BenchResult result =
        run_benchmark(benchmark, {.jobs = verb.jobs > 0 ? verb.jobs : cores,
                                  .stop_requested = InterruptGuard::requested,
                                  .on_progress = [&](int done, int total, const std::string& what) {
                                    progress.show(benchmark.name, done, total, what);
                                  }});
    progress.clear();
    return result;
  } catch (...) {
    progress.clear();
    throw;
  }
}

/// Prints and writes one result; the status of its run.
int hand_out(const BenchResult& result, const BenchVerb& verb) {
  if (!verb.quiet) fmt::print("{}\n", bench_report(result, colour_wanted()));
  std::fflush(stdout);
  const bool numbers = result.has_numbers();
  // An interrupted benchmark without a number must not replace the files of an earlier run.
  if (numbers || !result.interrupted) {
    const std::string place = write_bench(result, verb.results);
    if (!verb.quiet) fmt::print(stderr, "written to {}\n", place);
  }
  if (result.interrupted) return exit_status::interrupted;
  return numbers ? exit_status::held : exit_status::could_not;
}

}  // namespace

int bench(const BenchVerb& verb) {
  int status = exit_status::held;
  std::vector<Benchmark> benchmarks;
  for (const std::string& file : verb.files) try {
      Benchmark next = read_benchmark(file, {verb.overrides, verb.quick}, *verb.systems);
      for (const Benchmark& other : benchmarks)
        if (other.name == next.name)
          throw InputError(fmt::format("benchmark.name = \"{}\": named so in another file as well; "
                                       "their results would share a directory",
                                       next.name),
                           file);
      benchmarks.push_back(std::move(next));
    } catch (const InputError& e) {
      status = complain(e.what());
    }
  const InterruptGuard interrupt;
  for (const Benchmark& next : benchmarks) {
    try {
      status = std::max(status, hand_out(solve(next, verb), verb));
    } catch (const std::exception& e) {
      status = std::max(status, complain(fmt::format("{}: {}", next.name, e.what())));
    }
    if (InterruptGuard::requested()) return exit_status::interrupted;
  }
  return status;
}

}  // namespace rigidlimit
