#include "rigidlimit/solvers/composite.hpp"

#include <fmt/format.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/solve_input.hpp"
#include "rigidlimit/solvers/step_loop.hpp"

namespace rigidlimit {
namespace {

void give_up(Solution& solution, Outcome outcome, std::string message) {
  solution.outcome = outcome;
  solution.message = std::move(message);
}

/// The largest omitted term over its tolerance.
double excess(const TruncatedExpansion& found, const OdeProblem& problem,
              const SolveOptions& options) {
  VectorXd atol = VectorXd::Constant(found.omitted.size(), options.atol);
  // The tolerances of the output, which begins with the variables of y only without coordinates.
  if (!options.atol_of.empty() && !problem.coordinates)
    atol = absolute_tolerances(options, found.omitted.size());
  const VectorXd largest = found.states.cwiseAbs().rowwise().maxCoeff();
  return (found.omitted.array() / (atol + options.rtol * largest).array()).maxCoeff();
}

}  // namespace

Solution solve_composite(const OdeProblem& problem, const std::vector<double>& times,
                         const SolveOptions& options, int order) {
  check_input(problem, times, options, false);
  Solution solution = unsolved(problem.t0, problem.output_size(), times);
  if (!problem.expansion) {
    give_up(solution, Outcome::solver_error, "the problem has no expansion in a small parameter");
    return solution;
  }
  TruncatedExpansion found;
  try {
    found = problem.expansion(times, order);
  } catch (const InputError& error) {
    give_up(solution, Outcome::solver_error, error.what());
    return solution;
  }
  const double ratio = excess(found, problem, options);
  if (!(ratio <= 1.0)) {
    give_up(
        solution, Outcome::accuracy_limit,
        fmt::format("the term of order {} is {:.3g} times the tolerance: the small parameter of "
                    "the problem is too large for the composite expansion",
                    order + 1, ratio));
    return solution;
  }
  solution.states = std::move(found.states);
  solution.t_reached = times.back();
  solution.outcome = Outcome::success;
  if (options.on_step) options.on_step(times.back());
  return solution;
}

Solution solve_composite_6(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options) {
  return solve_composite(problem, times, options, 6);
}

}  // namespace rigidlimit
