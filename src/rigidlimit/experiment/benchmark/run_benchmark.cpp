#include "rigidlimit/experiment/benchmark/run_benchmark.hpp"

#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/judge_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/problems_of.hpp"

namespace rigidlimit {

namespace {

void judge(const GroupValues& found, const BenchmarkResult& result, Trial& trial) {
  const BenchmarkProblem& problem = result.problems[trial.problem];
  const BenchmarkReference& reference = result.references[problem.reference];
  for (std::size_t g = 0; g < problem.groups.size(); ++g)
    trial.errors.push_back(judged(found.empty() ? MatrixXd() : found[g], reference, g));
  if (trial.outcome == Outcome::not_run && trial.message.empty()) trial.message = never_begun;
  if (trial.outcome == Outcome::success && reference.values.empty())
    trial.message = "no reference: " + reference.message;
}

}  // namespace

BenchmarkPlan::BenchmarkPlan(const Benchmark& benchmark, BenchmarkProblems problems,
                             const RunOptions& options)
    : tasks_(benchmark, std::move(problems), options) {}

SolveStage BenchmarkPlan::next_stage() {
  if (std::exchange(begun_, true)) return {.tasks = pointers_to(tasks_.timings()), .alone = true};
  return {.tasks = pointers_to(tasks_.solves()), .followed = !tasks_.timings().empty()};
}

BenchmarkResult BenchmarkPlan::judged(const SolveCounts& counts) const {
  BenchmarkResult result = tasks_.result();
  for (std::size_t k = 0; k < result.trials.size(); ++k)
    judge(tasks_.found()[k], result, result.trials[k]);
  if (result.benchmark.kind == Benchmark::Kind::order_reduction) find_step_orders(result);
  result.interrupted = counts.missing > 0;
  result.counts = counts;
  return result;
}

BenchmarkPlan::BenchmarkPlan(const Benchmark& benchmark, const RunOptions& options)
    : BenchmarkPlan(benchmark, problems_of(benchmark), options) {
  if (benchmark.repeats > 0 && !options.shard.is_whole())
    throw InputError(benchmark.name +
                     ": a timing cannot be sharded, since times of different machines are not "
                     "comparable; add --set timing.repeats=0");
}

BenchmarkResult run_benchmark(const Benchmark& benchmark, const RunOptions& options) {
  return result_of(BenchmarkPlan(benchmark, options), options);
}

BenchmarkResult run_benchmark(const Benchmark& benchmark, const BenchmarkProblems& problems,
                              const RunOptions& options) {
  return result_of(BenchmarkPlan(benchmark, problems, options), options);
}

}  // namespace rigidlimit
