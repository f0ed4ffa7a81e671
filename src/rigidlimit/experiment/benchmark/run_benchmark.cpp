#include "rigidlimit/experiment/benchmark/run_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "rigidlimit/experiment/benchmark/judge_error.hpp"
#include "rigidlimit/experiment/benchmark/problems_of.hpp"
#include "rigidlimit/experiment/benchmark/step_orders.hpp"
#include "rigidlimit/experiment/benchmark/timing.hpp"
#include "rigidlimit/experiment/plan/parallel.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

bool asked_to_stop(const RunOptions& options) {
  return options.stop_requested && options.stop_requested();
}

/// Why `method` cannot solve the problem; empty if it can.
std::string refusal(const OdeMethod& method, const OdeProblem& problem, const Setting& setting) {
  if (setting.h > 0.0 && !method.fixed_step) return "has no equal steps";
  return refusal_of(method, problem);
}

/// Solves the trial; returns the values by group, empty on failure.
GroupValues attempt(const BenchmarkResult& result, const RunOptions& options, Trial& trial) {
  const BenchmarkProblem& problem = result.problems[trial.problem];
  try {
    const PosedProblem posed = problem.pose();
    trial.reason = refusal(*trial.method, posed.problem, trial.setting);
    if (!posed.atol_over_rtol.empty()) trial.setting.atol = std::nan("");
    if (!trial.reason.empty()) return {};
    SolveOptions how = options_of(result.benchmark, posed, trial.setting);
    how.stop_requested = options.stop_requested;
    const Solution solution = trial.method->solve(posed.problem, problem.times, how);
    trial.outcome = solution.outcome;
    trial.t_reached = solution.t_reached;
    trial.last_step = solution.last_step;
    trial.work = solution.work;
    if (solution.outcome == Outcome::success) return posed.groups(solution);
    trial.reason = fmt::format("{}: {}", name_of(solution.outcome), solution.message);
  } catch (const std::exception& error) {
    // A method rejects a problem with an InputError; any other exception must not lose the other
    // rows.
    trial.outcome = Outcome::solver_error;
    trial.reason = error.what();
  }
  return {};
}

std::string name_of(const BenchmarkResult& result, const Trial& trial) {
  const BenchmarkProblem& problem = result.problems[trial.problem];
  return fmt::format("{}, {}", result.reference_names[problem.reference], trial.method->name);
}

void judge(const GroupValues& found, const BenchmarkResult& result, Trial& trial) {
  const BenchmarkProblem& problem = result.problems[trial.problem];
  const BenchmarkReference& reference = result.references[problem.reference];
  for (std::size_t g = 0; g < problem.groups.size(); ++g)
    trial.errors.push_back(judged(found.empty() ? MatrixXd() : found[g], reference, g));
  if (trial.outcome == Outcome::not_run && trial.reason.empty()) trial.reason = never_begun;
  if (trial.outcome == Outcome::success && reference.values.empty())
    trial.reason = "no reference: " + reference.message;
}

BenchmarkResult planned(const Benchmark& benchmark, const BenchmarkProblems& problems) {
  BenchmarkResult result{.benchmark = benchmark,
                         .problems = problems.problems,
                         .references = std::vector<BenchmarkReference>(problems.references.size()),
                         .reference_names = {},
                         .trials = {}};
  for (const ReferenceTask& task : problems.references) result.reference_names.push_back(task.name);
  for (std::size_t p = 0; p < problems.problems.size(); ++p)
    for (const OdeMethod* method : benchmark.methods)
      for (const Setting& setting : settings_of(benchmark, problems.problems[p].times.back()))
        result.trials.push_back({.problem = p, .method = method, .setting = setting});
  return result;
}

/// Counts and reports finished solves; thread-safe.
class Progress {
 public:
  Progress(const RunOptions& options, std::size_t total)
      : options_(options), total_(static_cast<int>(total)) {}

  void operator()(const std::string& what) {
    const std::scoped_lock lock(guard_);
    if (options_.on_progress) options_.on_progress(++done_, total_, what);
  }

 private:
  const RunOptions& options_;
  int total_;
  int done_ = 0;
  std::mutex guard_;
};

void find_errors(const BenchmarkProblems& problems, const RunOptions& options, Progress& progress,
                 BenchmarkResult& result) {
  std::vector<GroupValues> found(result.trials.size());
  const std::size_t references = problems.references.size();
  // References first, since they take longest.
  run_tasks(static_cast<int>(references + result.trials.size()), options.jobs, [&](int task) {
    if (asked_to_stop(options)) return;
    const auto i = static_cast<std::size_t>(task);
    if (i < references) {
      result.references[i] = problems.references[i].find(options.stop_requested);
      return progress("reference of " + problems.references[i].name);
    }
    Trial& trial = result.trials[i - references];
    found[i - references] = attempt(result, options, trial);
    progress(name_of(result, trial));
  });
  for (std::size_t k = 0; k < found.size(); ++k) judge(found[k], result, result.trials[k]);
}

void find_times(const RunOptions& options, Progress& progress, BenchmarkResult& result) {
  for (std::size_t first = 0, last = 0; first < result.trials.size(); first = last) {
    const std::size_t problem = result.trials[first].problem;
    while (last < result.trials.size() && result.trials[last].problem == problem) ++last;
    if (asked_to_stop(options)) return;
    take_times(result, first, last, options.stop_requested);
    progress("times of " + name_of(result, result.trials[first]));
  }
}

}  // namespace

BenchmarkResult run_benchmark(const Benchmark& benchmark, const RunOptions& options) {
  return run_benchmark(benchmark, problems_of(benchmark), options);
}

BenchmarkResult run_benchmark(const Benchmark& benchmark, const BenchmarkProblems& problems,
                              const RunOptions& options) {
  BenchmarkResult result = planned(benchmark, problems);
  const std::size_t timings = benchmark.repeats > 0 ? result.problems.size() : 0;
  Progress progress(options, problems.references.size() + result.trials.size() + timings);
  find_errors(problems, options, progress, result);
  if (benchmark.kind == Benchmark::Kind::order_reduction) find_step_orders(result);
  if (benchmark.repeats > 0) find_times(options, progress, result);
  result.interrupted = asked_to_stop(options);
  return result;
}

}  // namespace rigidlimit
