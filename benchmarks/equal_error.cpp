#include "equal_error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/study/catalogue.hpp"
#include "rigidlimit/study/compliant_side.hpp"
#include "rigidlimit/study/quad_side.hpp"

namespace rigidlimit {
namespace {

SolveOptions options_at(double rtol) {
  SolveOptions options;
  options.rtol = rtol;
  options.atol = rtol / 100.0;
  options.max_steps = most_steps;
  return options;
}

void require_arrival(const char* solver, double epsilon, Outcome outcome) {
  if (outcome != Outcome::success)
    throw std::runtime_error(
        fmt::format("reference {} at ε = {:g}: {}", solver, epsilon, name_of(outcome)));
}

VectorXd end_by(const EndProblem& problem, const char* method, double epsilon) {
  const Solution solution = problem.solve(*find_ode_method(method), 1e-13);
  require_arrival(method, epsilon, solution.outcome);
  return problem.end(solution);
}

/// (q, v) at the end in 113 bits, rounded: the rounding is 1e-6 of wanted_error.
VectorXd end_in_quad(const Study& study, double epsilon) {
  Study adapted = study;
  adapted.solvers.formulation = Formulation::adapted;
  adapted.solvers.own.clear();
  const QuadCompliantMotion quad =
      solve_compliant_quad(adapted, *find_law("viscoelastic"), "radau_iia", epsilon, false,
                           {study.time.end}, options_at(1e-18));
  require_arrival("radau_iia in 113 bits", epsilon, quad.ending.outcome);
  const Motion& motion = quad.motion.rounded;
  VectorXd end(motion.q.rows() + motion.v.rows());
  end << motion.q.col(0), motion.v.col(0);
  return end;
}

EndSolve judged(const EndProblem& problem, const OdeMethod& method, double rtol,
                const EndReference& reference) {
  const Solution solution = problem.solve(method, rtol);
  EndSolve result{.rtol = rtol, .outcome = solution.outcome, .work = solution.work};
  result.error = solution.outcome == Outcome::success
                     ? (problem.end(solution) - reference.end).lpNorm<Eigen::Infinity>()
                     : std::numeric_limits<double>::quiet_NaN();
  return result;
}

}  // namespace

EndProblem::EndProblem(const Study& study, Formulation formulation, double epsilon)
    : problem_(compliant_problem(study, laws().front(), formulation, epsilon)),
      times_{study.time.end} {}

Solution EndProblem::solve(const OdeMethod& method, double rtol) const {
  return method.solve(problem_.problem, times_, options_at(rtol));
}

VectorXd EndProblem::end(const Solution& solution) const {
  const Motion motion = problem_.motion(solution);
  VectorXd end(motion.q.rows() + motion.v.rows());
  end << motion.q.col(0), motion.v.col(0);
  return end;
}

EndReference end_reference(const Study& study, double epsilon) {
  const EndProblem problem(study, Formulation::adapted, epsilon);
  EndReference reference{.end = end_by(problem, "radau_iia_7", epsilon)};
  const auto distance = [&](const VectorXd& other) {
    return (other - reference.end).lpNorm<Eigen::Infinity>();
  };
  reference.to_fast_block = distance(end_by(problem, "radau_iia_fast_block", epsilon));
  reference.to_quad = distance(end_in_quad(study, epsilon));
  return reference;
}

std::optional<EndSolve> loosest_that_serves(const EndProblem& problem, const OdeMethod& method,
                                            const EndReference& reference) {
  int too_long = 0;  // in a row
  std::optional<EndSolve> before;
  for (int k = 0; k <= 104; ++k) {
    const EndSolve solve = judged(problem, method, std::pow(10.0, -1.0 - k / 8.0), reference);
    const bool serves = solve.error <= wanted_error;
    if (serves && before) return before;
    before = serves ? std::optional(solve) : std::nullopt;
    too_long = solve.outcome == Outcome::max_steps ? too_long + 1 : 0;
    if (too_long == 2) break;
  }
  return std::nullopt;
}

}  // namespace rigidlimit
