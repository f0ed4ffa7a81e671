#include "rigidlimit/solvers/own_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

namespace rigidlimit {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Leaves a method that has been stopped.
struct StoppedByRequest : std::exception {
  explicit StoppedByRequest(Outcome why) : outcome(why) {}
  const char* what() const noexcept override { return "the solve has been stopped"; }
  Outcome outcome;
};

/// Counts and limits the evaluations of one solve.
struct Watch {
  const OwnMethod& method;
  const SolveOptions& options;
  SteadyClock::time_point begin = SteadyClock::now();
  long rhs = 0, jacobians = 0;
  double t = nan;           ///< of the last evaluation of f
  double not_finite = nan;  ///< t where f was not finite at a finite y, unless f was so later
  Outcome stopped = Outcome::not_run;  ///< why evaluations throw

  bool too_late() const {
    return std::chrono::duration<double>(SteadyClock::now() - begin).count() > method.time_limit;
  }
  bool must_stop() {
    if (stopped == Outcome::not_run && options.stop_requested && options.stop_requested())
      stopped = Outcome::interrupted;
    if (stopped == Outcome::not_run && too_late()) stopped = Outcome::time_limit;
    return stopped != Outcome::not_run;
  }
  void look() {
    if (must_stop()) throw StoppedByRequest(stopped);
  }
  /// A step that is tried again, shorter, meets a finite f before the t where f is not finite.
  void see(double at, bool finite_state, bool finite_rate) {
    t = at;
    if (!finite_state) return;
    if (!finite_rate)
      not_finite = at;
    else if (at > not_finite)
      not_finite = nan;
  }
  std::string reason() const {
    return stopped == Outcome::time_limit
               ? fmt::format("took more than its limit of {} s", method.time_limit)
               : "";
  }
};

OdeProblem watched(const OdeProblem& problem, Watch& watch) {
  OdeProblem copy = problem;
  if (!watch.method.moves_coordinates) copy.coordinates = nullptr;
  copy.rhs = [&problem, &watch](double t, VectorIn y, VectorOut rate) {
    ++watch.rhs;
    watch.look();
    problem.rhs(t, y, rate);
    watch.see(t, y.allFinite(), rate.allFinite());
  };
  if (problem.jacobian)
    copy.jacobian = [&problem, &watch](double t, VectorIn y, MatrixOut rates) {
      ++watch.jacobians;
      watch.look();
      problem.jacobian(t, y, rates);
    };
  return copy;
}

Solution failed(Outcome outcome, std::string message) {
  Solution solution;
  solution.outcome = outcome;
  solution.message = std::move(message);
  return solution;
}

Solution attempt(const OwnMethod& method, const OdeProblem& problem,
                 const std::vector<double>& times, const SolveOptions& options, Watch& watch) {
  try {
    return method.solve(watched(problem, watch), times, options);
  } catch (const StoppedByRequest& stop) {
    return failed(stop.outcome, watch.reason());
  } catch (const std::exception& error) {
    // A method in another language passes Stopped on as an exception of its own.
    if (watch.must_stop()) return failed(watch.stopped, watch.reason());
    return failed(Outcome::solver_error, error.what());
  } catch (...) {
    return failed(Outcome::solver_error, "threw an object of another type than std::exception");
  }
}

/// The states as the problem puts them out: in fixed variables.
MatrixXd output_of(const OdeProblem& problem, const std::vector<double>& times,
                   const MatrixXd& states) {
  if (!problem.coordinates) return states;
  MatrixXd output(problem.output_size(), states.cols());
  for (Index k = 0; k < states.cols(); ++k) {
    VectorXd column(problem.output_size());
    problem.coordinates->output(times[static_cast<std::size_t>(k)], states.col(k), column);
    output.col(k) = column;
  }
  return output;
}

}  // namespace

Solution solve_own(const OwnMethod& method, const OdeProblem& problem,
                   const std::vector<double>& times, const SolveOptions& options) {
  if (problem.coordinates) problem.coordinates->reset();
  Watch watch{method, options};
  Solution solution = attempt(method, problem, times, options, watch);
  const bool gave_up =
      solution.outcome == Outcome::solver_error || solution.outcome == Outcome::step_underflow;
  if (gave_up && !std::isnan(watch.not_finite))
    solution = failed(
        Outcome::not_finite,
        fmt::format("f is not finite at t = {:.9g}{}: {}", watch.not_finite,
                    problem.coordinates && !method.moves_coordinates
                        ? ", where the adapted coordinates of the start may be singular (solvers."
                          "formulation = \"natural\" has none)"
                        : "",
                    solution.message));
  const bool without_states = solution.states.size() == 0;
  const auto size = static_cast<Index>(times.size());
  const Index n = method.moves_coordinates ? problem.output_size() : problem.y0.size();
  if (solution.outcome == Outcome::success &&
      (solution.states.rows() != n || solution.states.cols() != size))
    solution = failed(Outcome::solver_error,
                      fmt::format("returned states of shape ({}, {}), not ({}, {})",
                                  solution.states.rows(), solution.states.cols(), n, size));
  if (solution.outcome == Outcome::success && watch.too_late())
    solution = failed(Outcome::time_limit,
                      fmt::format("took more than its limit of {} s", method.time_limit));
  if (solution.states.rows() != n || solution.states.cols() != size)
    solution.states = MatrixXd::Constant(n, size, nan);
  // The columns before the first one with a value that is not finite.
  Index reached = 0;
  while (reached < size && solution.states.col(reached).allFinite()) ++reached;
  if (reached < size && solution.outcome == Outcome::success) {
    solution.outcome = Outcome::not_finite;
    solution.message = "returned states that are not finite";
  }
  solution.states.rightCols(size - reached).setConstant(nan);
  if (!method.moves_coordinates) solution.states = output_of(problem, times, solution.states);
  solution.times = times;
  solution.t_reached = reached > 0 ? times[static_cast<std::size_t>(reached - 1)] : problem.t0;
  // A method that throws returns no states: the last evaluation tells how far it came.
  if (without_states && watch.t > solution.t_reached) solution.t_reached = watch.t;
  if (solution.work.rhs_evaluations == 0) solution.work.rhs_evaluations = watch.rhs;
  if (solution.work.jacobian_evaluations == 0) solution.work.jacobian_evaluations = watch.jacobians;
  if (solution.outcome == Outcome::success && solution.work.steps == 0 && times.back() > problem.t0)
    solution.work.steps = -1;
  if (solution.work.steps < 0 && solution.work.rejected_steps == 0)
    solution.work.rejected_steps = -1;
  return solution;
}

}  // namespace rigidlimit
