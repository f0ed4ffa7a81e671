// The solves of a benchmark as tasks: references, trials and times.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/task.hpp"

namespace rigidlimit {

/// Makes the tasks, and keeps their results: outcome, work and times in the trials of result(),
/// values of the trials in found().
class BenchmarkTasks {
 public:
  /// Refers to `benchmark` and `options`. Trials that their method refuses have no task.
  BenchmarkTasks(const Benchmark& benchmark, BenchmarkProblems problems, const RunOptions& options);
  BenchmarkTasks(const BenchmarkTasks&) = delete;
  BenchmarkTasks& operator=(const BenchmarkTasks&) = delete;

  /// References first, since they take longest; then trials.
  const std::deque<Task>& solves() const { return solves_; }
  /// One for each problem: all rounds of take_times(). They need the results of solves(), and each
  /// must run alone. Empty with Benchmark::repeats = 0.
  const std::deque<Task>& timings() const { return timings_; }

  const BenchmarkResult& result() const { return result_; }
  /// The values of each trial by group; empty without success.
  const std::vector<GroupValues>& found() const { return found_; }

 private:
  void plan_trials(std::size_t problem);
  void add_reference(std::size_t reference, const std::vector<double>& times);
  void add(std::size_t trial);
  void add_timing(std::size_t problem, std::size_t first, std::size_t last);
  SolveRecord attempt(const Trial& trial) const;
  std::string name_of(const Trial& trial) const;
  std::string determinants_of(const Trial& trial) const;

  const RunOptions& options_;
  BenchmarkProblems problems_;
  BenchmarkResult result_;
  std::vector<GroupValues> found_;
  std::deque<Task> solves_, timings_;
};

}  // namespace rigidlimit
