// The two entry points of a Radau IIA solve, instantiated once for each type of real number.
#pragma once

#include <type_traits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/radau/radau_root.hpp"
#include "rigidlimit/solvers/solve_input.hpp"
#include "rigidlimit/solvers/step_loop.hpp"

namespace rigidlimit {

template <class T>
void check_radau_input(const OdeProblemOf<T>& problem, const std::vector<double>& times,
                       const SolveOptions& options, const RadauOptions& radau,
                       bool locates_roots = false) {
  check_input(problem, times, options, true, locates_roots);
  if (radau.stages < 0 || radau.stages > max_radau_stages)
    throw InputError(
        fmt::format("{} stages: must be 0 (chosen) to {}", radau.stages, max_radau_stages));
  if (!problem.jacobian)
    throw InputError(fmt::format("{}: radau_iia needs the Jacobian", problem.name));
}

/// Whether a time of the grid lies within (t0, end).
inline bool output_between(double t0, const std::vector<double>& times) {
  return times.size() > (times.front() > t0 ? 1U : 2U);
}

/// Located roots, and the state if one of them ended the solve.
template <class T>
void read_roots(const RadauStepper<T>& stepper, SolutionOf<T>& solution) {
  solution.roots = stepper.roots();
  if (solution.outcome == Outcome::stopped_at_root)
    solution.stopped_at = stepper.state().template cast<T>();
}

template <class T>
SolutionOf<T> solve_radau_iia(const OdeProblemOf<T>& problem, const std::vector<double>& times,
                              const SolveOptions& options, const RadauOptions& radau) {
  check_radau_input(problem, times, options, radau, std::is_same_v<T, double>);
  SolutionOf<T> solution = unsolved<T>(problem.t0, problem.output_size(), times);
  RadauStepper<T> stepper(problem, nullptr, nullptr, times.back(),
                          output_between(problem.t0, times), options, radau);
  run_steps(stepper, options, solution);
  read_roots(stepper, solution);
  return solution;
}

template <class T>
SolutionOf<T> solve_radau_iia(const MassProblemOf<T>& problem, const std::vector<double>& times,
                              const SolveOptions& options, const RadauOptions& radau) {
  check_radau_input<T>(problem, times, options, radau, std::is_same_v<T, double>);
  check_mass(problem.name, problem.y0.size(), problem.mass, problem.index);
  if (problem.coordinates)
    throw InputError(fmt::format("{}: a mass matrix needs fixed coordinates", problem.name));
  SolutionOf<T> solution = unsolved<T>(problem.t0, problem.y0.size(), times);
  RadauStepper<T> stepper(problem, &problem.mass, &problem.index, times.back(),
                          output_between(problem.t0, times), options, radau);
  run_steps(stepper, options, solution);
  read_roots(stepper, solution);
  return solution;
}

}  // namespace rigidlimit
