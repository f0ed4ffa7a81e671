#include "references.hpp"

#include <limits>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"

namespace rigidlimit::python {

namespace {

/// Half a unit in the last place of 1, relative.
constexpr double rounding = 0.5 * std::numeric_limits<double>::epsilon();

/// The distances of two values, and the rounding of the first to double.
template <class T>
MatrixXd bars(const MatrixX<T>& a, const MatrixX<T>& b) {
  return (a - b).template cast<double>().cwiseAbs() +
         rounding * a.template cast<double>().cwiseAbs();
}

MotionOf<double> rounded(const MotionOf<Quad>& motion) {
  return {motion.times, motion.q.cast<double>(), motion.v.cast<double>(),
          motion.lambda.cast<double>()};
}
Motion rounded(Motion motion) {
  return motion;
}

/// Solves with two numbers of stages. The first `size` rows of a solution are y.
template <class T>
Solved solved_twice(const MotionProblem<OdeProblemOf<T>, T>& problem, Index size, int stages,
                    int other_stages, const std::vector<double>& times,
                    const SolveOptions& options) {
  using States = MatrixX<T>;
  const SolutionOf<T> one = solve_radau_iia(problem.problem, times, options, {.stages = stages});
  const MotionOf<T> motion = problem.motion(one);
  const auto unknown = [&](Index rows) {
    return MatrixXd::Constant(rows, std::ssize(times), std::nan(""));
  };
  Solution shown{one};
  shown.times = times;
  shown.states = one.states.topRows(size).template cast<double>();
  Solved found{std::move(shown), rounded(motion), unknown(size), unknown(motion.lambda.rows())};
  if (one.outcome != Outcome::success) return found;
  const SolutionOf<T> other =
      solve_radau_iia(problem.problem, times, options, {.stages = other_stages});
  if (other.outcome != Outcome::success) {
    found.solution.outcome = other.outcome;
    found.solution.message = "the second solve, for the error bar: " + other.message;
    return found;
  }
  found.error = bars<T>(States(one.states.topRows(size)), States(other.states.topRows(size)));
  found.multiplier_error = bars<T>(motion.lambda, problem.motion(other).lambda);
  return found;
}

}  // namespace

Solved reference(const Problem& problem, const std::vector<double>& times,
                 const std::function<bool()>& stop_requested) {
  const ProblemData& data = problem.data();
  const RollingStudy& study = *data.study;
  const Index size = problem.ode().y0.size();
  if (problem.mass().size() > 0)
    throw InputError("has no reference: take that of the form without multipliers",
                     problem.ode().name);
  const InitialStateOf<Quad> start{data.start.q.cast<Quad>(), data.start.v.cast<Quad>(),
                                   data.start.t};
  SolveOptions options;
  options.stop_requested = stop_requested;
  options.max_steps = study.solvers.max_steps;
  if (data.law && !data.law->has_spring()) {
    options.rtol = study.solvers.reference_rtol;
    options.atol = study.solvers.reference_atol;
    return solved_twice<double>(
        compliant_problem(study, *data.law, Formulation::natural, data.epsilon), size, 7, 5, times,
        options);
  }
  // Far below the rounding to double, so that the bars are that rounding unless errors grow.
  options.rtol = options.atol = 1e-20;
  if (!data.law)
    return solved_twice<Quad>(rigid_eliminated(study.model, start), size, 0, 9, times, options);
  return solved_twice<Quad>(compliant_adapted(study.model, start, law_of(study, *data.law),
                                              data.epsilon, initial_deflection(study)),
                            size, 0, 9, times, options);
}

}  // namespace rigidlimit::python
