#include "rigidlimit/experiment/benchmark/winners.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace rigidlimit {

namespace {

bool is_in(const Trial& trial, const JudgedTogether& together, double band) {
  return std::ranges::all_of(together.groups, [&](std::size_t g) {
    const GroupError& e = trial.errors[g];
    return (together.relative ? std::pow(10.0, -e.scd) : e.error + e.reference_error) <=
           band;  // false for NaN
  });
}

/// The trial at the next tighter setting of the same method on the same problem.
const Trial* tighter(const BenchmarkResult& result, const Trial& trial) {
  const Trial* next = &trial + 1;
  if (next == result.trials.data() + result.trials.size()) return nullptr;
  return next->problem == trial.problem && next->method == trial.method ? next : nullptr;
}

bool reaches(const BenchmarkResult& result, const Trial& trial, const JudgedTogether& together,
             double band) {
  if (trial.outcome != Outcome::success || !is_in(trial, together, band)) return false;
  const Trial* next = tighter(result, trial);
  return !next || next->outcome != Outcome::success || is_in(*next, together, band);
}

/// Formulations of one motion share their reference.
bool is_first_of_motion(const BenchmarkResult& result, std::size_t p) {
  return p == 0 || result.problems[p].reference != result.problems[p - 1].reference;
}

Winner winner(const BenchmarkResult& result, std::size_t problem, const JudgedTogether& together,
              double band) {
  Winner w{.problem = problem, .groups = together.name, .band = band};
  std::set<std::pair<std::size_t, const OdeMethod*>> all, reached;
  for (const Trial& trial : result.trials) {
    if (result.problems[trial.problem].reference != result.problems[problem].reference) continue;
    all.emplace(trial.problem, trial.method);
    if (!reaches(result, trial, together, band)) continue;
    reached.emplace(trial.problem, trial.method);
    if (!std::isnan(trial.seconds) && (!w.fastest || trial.seconds < w.fastest->seconds))
      w.fastest = &trial;
    const long rhs = trial.work.rhs_evaluations;  // 0: not reported
    if (rhs > 0 && (!w.fewest_rhs || rhs < w.fewest_rhs->work.rhs_evaluations))
      w.fewest_rhs = &trial;
  }
  w.contestants = static_cast<int>(all.size());
  w.reached = static_cast<int>(reached.size());
  return w;
}

}  // namespace

std::vector<JudgedTogether> judged_together(const BenchmarkProblem& problem) {
  if (problem.groups == std::vector<std::string>{"q", "v", "lambda"})
    return {{.name = "q and v", .groups = {0, 1}}, {.name = "lambda", .groups = {2}}};
  std::vector<JudgedTogether> all;
  for (std::size_t g = 0; g < problem.groups.size(); ++g)
    all.push_back({.name = problem.groups[g] + ", relative", .groups = {g}, .relative = true});
  return all;
}

std::vector<Winner> winners(const BenchmarkResult& result) {
  std::vector<Winner> all;
  for (std::size_t p = 0; p < result.problems.size(); ++p) {
    if (!is_first_of_motion(result, p)) continue;
    for (const JudgedTogether& together : judged_together(result.problems[p]))
      for (const double band : error_bands) all.push_back(winner(result, p, together, band));
  }
  return all;
}

}  // namespace rigidlimit
