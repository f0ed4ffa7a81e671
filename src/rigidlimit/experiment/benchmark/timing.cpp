#include "rigidlimit/experiment/benchmark/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>

#include "rigidlimit/solvers/own_method.hpp"

namespace rigidlimit {

namespace {

constexpr double short_solve = 1e-3;  // s; below, the clock and cold caches have an effect

/// The times of one trial so far.
struct Times {
  Trial* trial;
  std::vector<double> seconds{};

  void add(double reading) {
    if (is_duration(reading)) seconds.push_back(reading);
  }
  double sum() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }
};

/// The clocks do not see a method in other threads.
bool has_time(const Trial& trial) {
  const OwnMethod* const own = trial.method->own;
  return trial.outcome == Outcome::success && !(own && own->other_threads);
}

/// NaN if the outcome differs from that of the judged solve.
double timed(const PosedProblem& posed, const BenchmarkProblem& problem, const Trial& trial,
             const SolveOptions& options, const Clock& clock) {
  const double start = clock();
  const Solution solution = trial.method->solve(posed.problem, problem.times, options);
  const double end = clock();
  // Read, so that the compiler cannot remove the solve.
  return solution.outcome == trial.outcome ? end - start : std::nan("");
}

void summarise(Times& times) {
  if (times.seconds.empty()) return;
  std::ranges::sort(times.seconds);
  const std::size_t n = times.seconds.size();
  times.trial->seconds = times.seconds.front();
  times.trial->seconds_median = 0.5 * (times.seconds[(n - 1) / 2] + times.seconds[n / 2]);
  times.trial->repeats = static_cast<int>(n);
}

}  // namespace

bool is_duration(double seconds) {
  return std::isfinite(seconds) && seconds > 0.0;
}

double thread_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string timing_protocol(const Benchmark& benchmark) {
  if (benchmark.repeats == 0) return "no times were taken";
  return fmt::format(
      "processor time of the solving thread (CLOCK_THREAD_CPUTIME_ID) during the solve only, "
      "without set-up and evaluation. Times are taken after all errors are known, one solve at a "
      "time on one thread: {} rounds over all methods and settings of a problem, after one untimed "
      "solve. Solves below 1 ms are repeated up to ten times per round. A solve has no more rounds "
      "when its times sum up to {:g} s. Readings of 0 are dropped. Methods that compute in other "
      "threads have no times. seconds is the minimum, "
      "seconds_median the median, repeats the number of readings.",
      benchmark.repeats, benchmark.most_seconds);
}

void take_times(BenchmarkResult& result, std::size_t first, std::size_t last,
                const std::function<bool()>& stop_requested, const Clock& clock) {
  const Benchmark& benchmark = result.benchmark;
  std::vector<Times> all;
  for (std::size_t k = first; k < last; ++k)
    if (has_time(result.trials[k])) all.push_back({&result.trials[k]});
  if (all.empty()) return;
  const BenchmarkProblem& problem = result.problems[result.trials[first].problem];
  const PosedProblem posed = problem.pose();
  const auto stop = [&] { return stop_requested && stop_requested(); };
  for (int round = -1; round < benchmark.repeats; ++round)
    for (Times& times : all) {
      if (stop()) return;
      const Trial& trial = *times.trial;
      const SolveOptions options = options_of(benchmark, posed, trial.setting);
      if (times.sum() >= benchmark.most_seconds) continue;
      const double once = timed(posed, problem, trial, options, clock);
      if (round < 0 && once < benchmark.most_seconds) continue;  // to warm up
      times.add(once);
      const int more = static_cast<int>(std::min(9.0, short_solve / std::max(once, 1e-9)));
      for (int k = 0; k < more; ++k) times.add(timed(posed, problem, trial, options, clock));
    }
  for (Times& times : all) summarise(times);
}

}  // namespace rigidlimit
