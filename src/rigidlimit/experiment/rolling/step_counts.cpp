#include "rigidlimit/experiment/rolling/step_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/compliant_side.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

StepCount count_one(const RollingStudy& study, const std::string& solver, Formulation formulation,
                    double epsilon, const RunOptions& options) {
  StepCount count{.solver = solver, .formulation = formulation, .epsilon = epsilon};
  const auto problem =
      compliant_problem(study, *find_law(study.contact.laws.front()), formulation, epsilon);
  const SolveOptions solve =
      solve_options(study, study.solvers.tolerance_of(solver, false), options.stop_requested);
  const OdeMethod& method = *find_ode_method(solver);
  count.message = refusal_of(method, problem.problem);
  if (!count.message.empty()) return count;
  const auto start = std::chrono::steady_clock::now();
  const Solution solution = method.solve(problem.problem, {study.time.end_at(epsilon)}, solve);
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - start;
  count.milliseconds = elapsed.count();
  count.outcome = solution.outcome;
  count.message = solution.message;
  count.work = solution.work;
  return count;
}

bool same_line(const StepCount& a, const StepCount& b) {
  return a.solver == b.solver && a.formulation == b.formulation;
}

}  // namespace

std::vector<StepCount> count_steps(const RollingStudy& study, const RunOptions& options) {
  if (study.has_several_laws() || !find_law(study.contact.laws.front())->has_spring())
    throw InputError(
        fmt::format("contact.law: {} counts steps for a single law with a spring; choose one, e.g. "
                    "with --set 'contact.law=\"viscoelastic\"'",
                    study.name));
  if (study.solvers.steps > 0)
    throw InputError(
        fmt::format("solvers.steps = {}: equal steps need no count; remove solvers.steps",
                    study.solvers.steps));
  std::vector<StepCount> counts;
  const auto total = static_cast<int>(2 * study.solvers.compliant.size() * study.epsilons.size());
  for (const std::string& solver : study.solvers.compliant)
    for (const Formulation formulation : {Formulation::natural, Formulation::adapted})
      for (const double epsilon : study.epsilons) {
        if (options.stopped()) return counts;
        counts.push_back(count_one(study, solver, formulation, epsilon, options));
        if (options.on_progress)
          options.on_progress(
              static_cast<int>(counts.size()), total,
              fmt::format("ε = {:.4g}, {}, {}", epsilon, solver, name_of(formulation)));
      }
  return counts;
}

std::vector<StepGrowth> step_growth(const std::vector<StepCount>& counts) {
  std::vector<StepGrowth> all;
  for (auto first = counts.begin(); first != counts.end();) {
    const auto last = std::find_if(first, counts.end(),
                                   [&](const StepCount& c) { return !same_line(*first, c); });
    StepGrowth growth{.solver = first->solver, .formulation = first->formulation};
    bool arrived = true;
    for (auto c = first; c != last; ++c) {
      growth.rejected = std::max(growth.rejected, c->work.rejected_steps);
      arrived = arrived && c->outcome == Outcome::success;
    }
    const StepCount &coarse = *first, &fine = *(last - 1);
    const double decades = std::log10(coarse.epsilon / fine.epsilon);
    growth.per_decade = arrived && decades > 0.0
                            ? static_cast<double>(fine.work.steps - coarse.work.steps) / decades
                            : std::nan("");
    all.push_back(growth);
    first = last;
  }
  return all;
}

}  // namespace rigidlimit
