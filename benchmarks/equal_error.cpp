#include "equal_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "rigidlimit/experiment/benchmark/benchmark_references.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {
namespace {

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

SolveOptions options_at(double rtol) {
  SolveOptions options;
  options.rtol = rtol;
  options.atol = rtol / 100.0;
  options.max_steps = most_steps;
  return options;
}

EndProblem::EndProblem(MotionProblem<OdeProblem> problem, double end_time)
    : problem_(std::move(problem)), times_{end_time} {}

EndProblem::EndProblem(const RollingStudy& study, Formulation formulation, double epsilon)
    : EndProblem(compliant_problem(study, laws().front(), formulation, epsilon), study.time.end) {}

Solution EndProblem::solve(const OdeMethod& method, double rtol) const {
  return method.solve(problem_.problem, times_, options_at(rtol));
}

VectorXd EndProblem::end(const Solution& solution) const {
  const Motion motion = problem_.motion(solution);
  VectorXd end(motion.q.rows() + motion.v.rows());
  end << motion.q.col(0), motion.v.col(0);
  return end;
}

EndReference end_reference(const RollingStudy& study, double epsilon) {
  const ContactReference found = contact_reference(study, epsilon, {study.time.end});
  if (!found.message.empty() || found.distances.size() != 2)
    throw std::runtime_error(
        fmt::format("reference at ε = {:g}: {}", epsilon,
                    found.message.empty() ? "one of two checks does not arrive" : found.message));
  VectorXd end(found.motion.q.rows() + found.motion.v.rows());
  end << found.motion.q.col(0), found.motion.v.col(0);
  const auto distance = [&](std::size_t k) {
    return std::max(found.distances[k].q, found.distances[k].v);
  };
  return {.end = end, .to_radau_7 = distance(0), .to_radau = distance(1)};
}

EndReference rigid_end_reference(const RollingStudy& study) {
  const EndProblem problem(rigid_reduced<double>(study.model, rigid_start(study)), study.time.end);
  const auto end_by = [&problem](const char* name) {
    const Solution solution = problem.solve(*find_ode_method(name), 1e-13);
    if (solution.outcome != Outcome::success) throw std::runtime_error(solution.message);
    return problem.end(solution);
  };
  EndReference reference{.end = end_by("runge_kutta_fehlberg78")};
  reference.to_radau_7 = (end_by("radau_iia_7") - reference.end).lpNorm<Eigen::Infinity>();
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
