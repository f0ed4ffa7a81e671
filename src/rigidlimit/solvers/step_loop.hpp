// The loop of every method: poll for a stop, bound the work, step, fill the grid.
// Valid C++17.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// An initial Solution: outcome not_run, t_reached = t0, all columns NaN; `rates` is size ×
/// times.size() if `with_rates`, otherwise 0 × 0.
template <class T = double>
SolutionOf<T> unsolved(double t0, Index size, const std::vector<double>& times,
                       bool with_rates = false) {
  using States = typename SolutionOf<T>::States;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  SolutionOf<T> solution;
  solution.t_reached = t0;
  solution.times = times;
  const auto columns = static_cast<Index>(times.size());
  solution.states = States::Constant(size, columns, nan);
  if (with_rates) solution.rates = States::Constant(size, columns, nan);
  return solution;
}

/// The state y at t as a column of Solution::states, in fixed variables.
template <class T>
void write_output(const OdeProblemOf<T>& problem, const T& t, VectorInOf<T> y,
                  VectorOutOf<T> column) {
  if (problem.coordinates)
    problem.coordinates->output(t, y, column);
  else
    column = y;
}

/// Writes the columns `first` to `last` − 1 of the grid: at once if the stepper offers that.
template <class Stepper, class Solution>
auto write_columns(Stepper& stepper, std::size_t first, std::size_t last, Solution& solution, int)
    -> decltype(stepper.write_columns(first, last, solution)) {
  stepper.write_columns(first, last, solution);
}
template <class Stepper, class Solution>
void write_columns(Stepper& stepper, std::size_t first, std::size_t last, Solution& solution,
                   long) {
  for (std::size_t k = first; k < last; ++k)
    stepper.write(solution.times[k], static_cast<Index>(k), solution);
}

/// Steps from the start of solution.times to its end and fills in everything but the shape of
/// solution.rates. Stepper offers
///
///   t() const                               time of the current state
///   void write(tau, column, solution)       writes the state at tau in the last step to `column`,
///   or write_columns(first, last, solution) those of all these columns
///   Outcome attempt(next, end)              tries one step, not beyond `end`; success: t() has
///                                           moved on, or the step was rejected and t() has not;
///                                           `next` is the next output time, for steppers that end
///                                           steps on it
///   Work work() const, double last_step() const, std::string message() const
///
/// The grid is filled after each attempt, because a stepper changes moving coordinates at the
/// beginning of the next attempt.
template <class Stepper, class T>
void run_steps(Stepper& stepper, const SolveOptions& options, SolutionOf<T>& solution) {
  std::size_t next = 0;
  const auto fill_grid = [&] {
    solution.t_reached = static_cast<double>(stepper.t());
    std::size_t end = next;
    while (end < solution.times.size() && solution.times[end] <= stepper.t()) ++end;
    write_columns(stepper, next, end, solution, 0);
    next = end;
  };
  const auto one_attempt = [&] {
    if (options.stop_requested && options.stop_requested()) return Outcome::interrupted;
    const Work work = stepper.work();
    if (work.steps + work.rejected_steps >= options.max_steps) return Outcome::max_steps;
    return stepper.attempt(solution.times[next], solution.times.back());
  };

  Outcome outcome = Outcome::success;
  fill_grid();
  while (next < solution.times.size() && outcome == Outcome::success) {
    outcome = one_attempt();
    if (options.on_step) options.on_step(static_cast<double>(stepper.t()));
    fill_grid();  // also after a failure: the last accepted step may have passed output times
  }
  solution.work = stepper.work();
  solution.last_step = stepper.last_step();
  if (outcome == Outcome::max_steps) {
    solution.message = "stopped after max_steps = " + std::to_string(options.max_steps) + " steps";
    // As many such steps again would not reach the end.
    const double left = solution.times.back() - solution.t_reached;
    if (stepper.last_step() * static_cast<double>(options.max_steps) < left)
      solution.message +=
          "; as many steps of the last size would not reach the end: is max_steps too small, are "
          "the "
          "tolerances tight, or is the motion near a singular configuration?";
  } else if (outcome == Outcome::interrupted)
    solution.message = "the caller requested a stop";
  else if (outcome != Outcome::success)
    solution.message = stepper.message();
  solution.outcome = outcome;
}

}  // namespace rigidlimit
