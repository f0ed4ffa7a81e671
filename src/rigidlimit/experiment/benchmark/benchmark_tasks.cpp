#include "rigidlimit/experiment/benchmark/benchmark_tasks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <optional>
#include <utility>

#include "rigidlimit/core/memory_message.hpp"
#include "rigidlimit/experiment/benchmark/timing.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/program_code.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

/// Why `method` cannot solve the problem; empty if it can.
std::string refusal(const OdeMethod& method, const OdeProblem& problem, const Setting& setting) {
  if (setting.h > 0.0 && !method.fixed_step) return "has no equal steps";
  return refusal_of(method, problem);
}

/// Of a solve that did not begin.
SolveEnd unsolved() {
  return {.t_reached = std::nan(""), .last_step = std::nan("")};
}

std::string sample_name(std::size_t group) {
  return fmt::format("group{}", group);
}

void put(GroupValues values, SolveRecord& record) {
  for (std::size_t g = 0; g < values.size(); ++g)
    record.samples.push_back({sample_name(g), std::move(values[g])});
}

/// One column of values for each time of the problem.
GroupValues take_values(std::size_t groups, Index columns, SolveRecord& record) {
  GroupValues values;
  for (std::size_t g = 0; g < groups; ++g)
    values.push_back(record.take(sample_name(g), any_size, columns));
  return values;
}

/// `message` holds BenchmarkReference::how, or the reason why the reference is missing.
SolveRecord reference_record(BenchmarkReference reference, bool stopped) {
  if (stopped) return {{.outcome = Outcome::interrupted}};
  const bool known = !reference.values.empty();
  SolveRecord record{{.outcome = known ? Outcome::success : Outcome::solver_error,
                      .message = known ? reference.how : reference.message}};
  put(std::move(reference.values), record);
  record.samples.push_back(
      {"error", Eigen::Map<const VectorXd>(reference.error.data(),
                                           static_cast<Index>(reference.error.size()))});
  if (reference.published.empty()) return record;
  MatrixXd published(std::ssize(reference.published), 3);
  for (Index k = 0; k < published.rows(); ++k) {
    const PublishedValue& value = reference.published[static_cast<std::size_t>(k)];
    published.row(k) << value.reference, value.bar, value.difference;
  }
  record.samples.push_back({"published", std::move(published)});
  return record;
}

BenchmarkReference recorded_reference(SolveRecord record, std::size_t groups, Index columns,
                                      std::vector<PublishedValue> published) {
  if (record.outcome != Outcome::success) return {.message = record.message};
  if (!published.empty()) {
    const MatrixXd numbers = record.take("published", std::ssize(published), 3);
    for (std::size_t k = 0; k < published.size(); ++k) {
      const auto row = numbers.row(static_cast<Index>(k));
      published[k].reference = row(0), published[k].bar = row(1), published[k].difference = row(2);
    }
  }
  const VectorXd error = record.take("error", static_cast<Index>(groups), 1).reshaped();
  return {.values = take_values(groups, columns, record),
          .error = std::vector<double>(error.begin(), error.end()),
          .how = record.message,
          .published = std::move(published)};
}

/// Rows: seconds, median and number of readings of each trial.
SolveRecord record_of_times(const BenchmarkResult& result, std::size_t first, std::size_t last) {
  MatrixXd times(3, static_cast<Index>(last - first));
  for (std::size_t k = first; k < last; ++k) {
    const Trial& trial = result.trials[k];
    times.col(static_cast<Index>(k - first)) << trial.seconds, trial.seconds_median, trial.repeats;
  }
  SolveRecord record{{.outcome = Outcome::success}};
  record.samples.push_back({"times", std::move(times)});
  return record;
}

void take_record_of_times(SolveRecord record, std::size_t first, std::size_t last,
                          BenchmarkResult& result) {
  if (record.outcome != Outcome::success) return;
  const MatrixXd times = record.take("times", 3, static_cast<Index>(last - first));
  for (Index k = 0; k < times.cols(); ++k) {
    Trial& trial = result.trials[first + static_cast<std::size_t>(k)];
    trial.seconds = times(0, k);
    trial.seconds_median = times(1, k);
    trial.repeats = whole_number(times(2, k), "a number of readings");
  }
}

BenchmarkResult unsolved_result(const Benchmark& benchmark, const BenchmarkProblems& problems) {
  BenchmarkResult result{.benchmark = benchmark,
                         .problems = problems.problems,
                         .references = std::vector<BenchmarkReference>(problems.references.size()),
                         .reference_names = {},
                         .trials = {}};
  for (const ReferenceTask& task : problems.references) result.reference_names.push_back(task.name);
  return result;
}

}  // namespace

BenchmarkTasks::BenchmarkTasks(const Benchmark& benchmark, BenchmarkProblems problems,
                               const RunOptions& options)
    : options_(options),
      problems_(std::move(problems)),
      result_(unsolved_result(benchmark, problems_)) {
  std::vector<std::size_t> first{0};  // trial of each problem
  for (std::size_t p = 0; p < result_.problems.size(); ++p) {
    plan_trials(p);
    first.push_back(result_.trials.size());
  }
  found_.resize(result_.trials.size());
  for (std::size_t r = 0; r < problems_.references.size(); ++r)
    for (const BenchmarkProblem& problem : result_.problems)
      if (problem.reference == r) {
        add_reference(r, problem.times);
        break;
      }
  for (std::size_t k = 0; k < result_.trials.size(); ++k)
    if (result_.trials[k].message.empty()) add(k);
  if (benchmark.repeats > 0)
    for (std::size_t p = 0; p < result_.problems.size(); ++p) add_timing(p, first[p], first[p + 1]);
}

/// Every method at every setting; the problem is posed once, for refusals and tolerances.
void BenchmarkTasks::plan_trials(std::size_t problem) {
  const BenchmarkProblem& one = result_.problems[problem];
  std::optional<PosedProblem> posed;
  std::string failure;
  try {
    posed = one.pose();
  } catch (const std::exception& error) {
    failure = message_of(error, "the problem");
  }
  for (const OdeMethod* method : result_.benchmark.methods)
    for (Setting setting : settings_of(result_.benchmark, one.times.back())) {
      if (posed && !posed->atol_over_rtol.empty()) setting.atol = std::nan("");
      Trial& trial = result_.trials.emplace_back(Trial{unsolved()});
      trial.problem = problem;
      trial.method = method;
      trial.setting = setting;
      if (!posed) trial.outcome = Outcome::solver_error;
      trial.message = posed ? refusal(*method, posed->problem, setting) : failure;
    }
}

void BenchmarkTasks::add_reference(std::size_t reference, const std::vector<double>& times) {
  const ReferenceTask& task = problems_.references[reference];
  std::size_t groups = 0;
  for (const BenchmarkProblem& problem : result_.problems)
    if (problem.reference == reference) groups = problem.groups.size();
  const std::string grid = grid_hash(times);
  solves_.push_back(single_task(
      {.identity = {.kind = SolveIdentity::Kind::reference,
                    .solver = "reference",
                    .grid = grid,
                    .determinants =
                        fmt::format("kind=reference {} grid={}", task.determinants, grid)},
       .times = &times,
       .run =
           [this, &task] {
             BenchmarkReference found = task.find(options_.stop_requested);
             return reference_record(std::move(found), options_.stopped());
           }},
      "reference of " + task.name,
      [this, reference, groups, columns = std::ssize(times), &task](SolveRecord record) {
        result_.references[reference] =
            recorded_reference(std::move(record), groups, columns, task.published);
      }));
}

void BenchmarkTasks::add(std::size_t k) {
  const Trial& trial = result_.trials[k];
  const BenchmarkProblem& problem = result_.problems[trial.problem];
  const auto take = [this, k](SolveRecord record) {
    Trial& one = result_.trials[k];
    static_cast<SolveEnd&>(one) = record;
    if (record.outcome == Outcome::success)
      found_[k] = take_values(result_.problems[one.problem].groups.size(),
                              std::ssize(result_.problems[one.problem].times), record);
  };
  solves_.push_back(
      single_task({.identity = {.kind = SolveIdentity::Kind::trial,
                                .solver = trial.method->name,
                                .epsilon = problem.epsilon,
                                .rtol = trial.setting.rtol,
                                .atol = trial.setting.atol,
                                .formulation = problem.formulation,
                                .grid = grid_hash(problem.times),
                                .determinants = "kind=trial " + determinants_of(trial)},
                   .times = &problem.times,
                   .run = [this, &trial] { return attempt(trial); }},
                  name_of(trial), take));
}

void BenchmarkTasks::add_timing(std::size_t problem, std::size_t first, std::size_t last) {
  const BenchmarkProblem& one = result_.problems[problem];
  std::string trials;
  for (std::size_t k = first; k < last; ++k) trials += determinants_of(result_.trials[k]) + "\n";
  const Benchmark& benchmark = result_.benchmark;
  const std::string grid = grid_hash(one.times);
  timings_.push_back(single_task(
      {.identity = {.kind = SolveIdentity::Kind::timing,
                    .solver = "times",
                    .epsilon = one.epsilon,
                    .formulation = one.formulation,
                    .grid = grid,
                    .determinants = fmt::format(
                        "kind=timing trials={} repeats={} most_seconds={} host={} program={}",
                        content_hash(trials), benchmark.repeats, benchmark.most_seconds,
                        host_name(), program_code())},
       .times = &one.times,
       .run = [this, first, last]() -> SolveRecord {
         take_times(result_, first, last, options_.stop_requested);
         if (options_.stopped()) return {{.outcome = Outcome::interrupted}};
         return record_of_times(result_, first, last);
       }},
      "times of " + problems_.references[one.reference].name,
      [this, first, last](SolveRecord record) {
        take_record_of_times(std::move(record), first, last, result_);
      }));
}

SolveRecord BenchmarkTasks::attempt(const Trial& trial) const {
  const BenchmarkProblem& problem = result_.problems[trial.problem];
  try {
    const PosedProblem posed = problem.pose();
    SolveOptions how = options_of(result_.benchmark, posed, trial.setting);
    how.stop_requested = options_.stop_requested;
    const Solution solution = trial.method->solve(posed.problem, problem.times, how);
    SolveRecord record{solution};
    record.message.clear();
    if (solution.outcome == Outcome::success)
      put(posed.groups(solution), record);
    else
      record.message =
          fmt::format("{}: {}", rigidlimit::name_of(solution.outcome), solution.message);
    return record;
  } catch (const std::exception& error) {
    // A method rejects a problem with an InputError; any other exception must not lose the other
    // rows.
    SolveRecord record{unsolved()};
    record.outcome = Outcome::solver_error;
    record.message = message_of(error, "the solve");
    return record;
  }
}

std::string BenchmarkTasks::name_of(const Trial& trial) const {
  const BenchmarkProblem& problem = result_.problems[trial.problem];
  return fmt::format("{}, {}", result_.reference_names[problem.reference], trial.method->name);
}

std::string BenchmarkTasks::determinants_of(const Trial& trial) const {
  const BenchmarkProblem& problem = result_.problems[trial.problem];
  const Setting& s = trial.setting;
  return fmt::format("{} solver={} rtol={} atol={} h={} max_steps={} grid={}", problem.determinants,
                     identity_of_solver(*trial.method), s.rtol, s.atol, s.h,
                     result_.benchmark.most_steps, grid_hash(problem.times));
}

}  // namespace rigidlimit
