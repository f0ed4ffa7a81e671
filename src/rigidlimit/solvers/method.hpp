// What a solver is: a name, the facts that a table prints beside it, and one function.
//
// This header stays valid C++17 (solvers/odeint_rosenbrock4.cpp is compiled as such).
#pragma once

#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// A method for y' = f(t, y).
struct OdeMethod {
  const char* name;       ///< the word of studies and tables, "cvode_bdf"
  const char* title;      ///< for a reader, "CVODE, variable-order BDF"
  int order;              ///< of convergence; the highest one if the order is variable
  const char* stability;  ///< "L-stable", "explicit", …
  const char* source;     ///< where the method and its code come from
  bool stiff;             ///< meant for stiff problems
  bool exact_jacobian;    ///< its order rests on ∂f/∂y being exact (Rosenbrock methods)
  bool fixed_step;        ///< obeys SolveOptions::fixed_step; otherwise solve() refuses it
  bool dense_output;  ///< has a polynomial between its steps; otherwise it shortens a step, even a
                      ///< fixed one, to land on an output time

  int stages = 0;       ///< of a step; 0: a multistep method, or their number varies
  bool splits = false;  ///< needs OdeProblem::splitting, and refuses a problem without it
  bool roots = false;   ///< locates OdeProblem::roots

  /// The solution of `problem` on the grid `times`, which is strictly increasing with
  /// times.front() ≥ problem.t0. Nothing is evaluated beyond times.back().
  ///
  /// Throws InputError for options, a grid or a problem that cannot be used, and whatever a
  /// callback of the problem throws. Every numerical failure is an Outcome: then t_reached is the
  /// time of the last accepted step, columns up to it are filled and the others are NaN.
  Solution (*solve)(const OdeProblem& problem, const std::vector<double>& times,
                    const SolveOptions& options) = nullptr;
};

/// A method for 0 = r(t, y, y'). Fields and guarantees as in OdeMethod.
struct DaeMethod {
  const char* name;
  const char* title;
  int order;
  const char* stability;
  const char* source;
  bool roots = false;  ///< locates DaeProblem::roots

  /// As OdeMethod::solve, and Solution::rates holds y' on the grid. Data (y0, yp0) whose residual
  /// is larger than the tolerances can account for throw InputError.
  Solution (*solve)(const DaeProblem& problem, const std::vector<double>& times,
                    const SolveOptions& options) = nullptr;
};

}  // namespace rigidlimit
