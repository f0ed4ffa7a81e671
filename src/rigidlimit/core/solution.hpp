// Result of a solver: outcome, work counters, and the data on the requested grid.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// How a solve ended. A numerical failure is a value, never an exception, and becomes a row of the
/// table. Any outcome but `success` fills the grid only up to Solution::t_reached.
enum class Outcome {
  not_run,             ///< the pessimistic start
  success,             ///< reached the last grid time
  max_steps,           ///< more than SolveOptions::max_steps steps
  time_limit,          ///< longer than OwnMethod::time_limit by the clock
  step_underflow,      ///< the step fell below the resolution of t
  error_test_failure,  ///< the local error test failed repeatedly
  newton_failure,      ///< the nonlinear iteration failed repeatedly
  singular_matrix,     ///< a linear system could not be factorised
  accuracy_limit,      ///< tolerances below the precision of the arithmetic
  not_finite,          ///< the right-hand side, or the state, is not finite
  stopped_at_root,     ///< a root function ended the solve (RootFunctions::reached)
  inadmissible_state,  ///< a contact is penetrated, or its speed or its data contradict its mode
  no_consistent_mode,  ///< no mode of the contacts gives an acceleration or an impulse (Painlevé)
  event_accumulation,  ///< more events than NonsmoothOptions::max_events, or ever closer ones
  interrupted,         ///< the caller asked to stop
  solver_error         ///< the library reported something else; see Solution::message
};

/// Every outcome, in the order of the enumeration.
const std::vector<Outcome>& all_outcomes();

/// "success", "max_steps", …: the word used in tables.
const char* name_of(Outcome outcome);

/// The outcome of a word; solver_error for a word that this version does not know.
Outcome outcome_named(std::string_view word);

/// Exact counts of one solve. A counter that a method does not have stays 0; < 0: it is unknown.
struct Work {
  long steps = 0;                 ///< accepted steps
  long rejected_steps = 0;        ///< steps repeated after a failed error test or iteration
  long rhs_evaluations = 0;       ///< f or residual, those of the linear solver included
  long jacobian_evaluations = 0;  ///< of ∂f/∂y
  long factorisations = 0;        ///< of the iteration matrix
  long newton_iterations = 0;     ///< summed over all steps
  long linear_solves = 0;         ///< all solves with the factors
  long factor_nonzeros = 0;       ///< entries of the last sparse factorisation, L and U together
};

/// Tolerances and limits of one solve.
struct SolveOptions {
  double rtol = 1e-8;             ///< relative tolerance, > 0
  double atol = 1e-10;            ///< absolute tolerance of every component, in its unit, > 0
  std::vector<double> atol_of{};  ///< N: one per component, replaces `atol`; empty: `atol`
  long max_steps = 2000000;       ///< bound on attempted steps of the whole solve
  double initial_step = 0.0;      ///< seconds; 0: the method chooses
  double max_step = 0.0;  ///< seconds, bound on a step; 0: none. Methods that locate roots obey it
  double fixed_step = 0.0;  ///< seconds; > 0: every step has this size, no error control (only
                            ///< methods with `fixed_step` set); 0: adaptive
  std::function<bool()> stop_requested{};  ///< polled about once a step; empty: never
  /// Called once per attempted step with the time reached, for a progress line. May be empty.
  std::function<void(double t)> on_step{};
};

/// A root function that changed its sign.
struct Root {
  double t = 0.0;     ///< its time
  Index which = 0;    ///< of RootFunctions
  int direction = 0;  ///< +1: became positive, −1: negative
};

/// How a solve ended, and its work: from the solver to the store and the tables.
struct SolveEnd {
  Outcome outcome = Outcome::not_run;  ///< success, or the reason of the failure
  std::string message{};               ///< why it ended, as text; empty on success
  double t_reached = 0.0;              ///< time of the last accepted step
  double last_step = 0.0;              ///< size of the last attempted step
  Work work{};                         ///< counts of steps and evaluations
};

/// State on the grid, in the real numbers T: column k of `states` belongs to times[k].
template <class T>
struct SolutionOf : SolveEnd {
  using States = Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;  ///< N × K

  std::vector<double> times;  ///< the output grid, increasing
  States states;              ///< N × times.size(); columns beyond t_reached are NaN
  States rates;               ///< y' likewise, for DAE solvers; 0 × 0 otherwise
  std::vector<Root> roots;    ///< in the order of t; simultaneous roots are separate entries
  VectorX<T> stopped_at;      ///< N: the state at t_reached after Outcome::stopped_at_root
};
using Solution = SolutionOf<double>;

}  // namespace rigidlimit
