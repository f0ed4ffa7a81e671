// Description of a solver: a name, the properties shown in tables, and one function.
//
// This header stays valid C++17 (solvers/odeint/odeint_rosenbrock4.cpp is compiled as such).
#pragma once

#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

struct OwnMethod;

/// A method for y' = f(t, y).
struct OdeMethod {
  const char* name;       ///< key in studies and tables, "cvode_bdf"
  const char* title;      ///< full name, "CVODE, variable-order BDF"
  int order;              ///< order of convergence; the highest one if variable
  int stages = 0;         ///< stages of a step; 0: a multistep method, or variable
  const char* stability;  ///< "L-stable", "explicit", …
  const char* source;     ///< origin of the method and its code
  bool stiff;             ///< meant for stiff problems
  bool exact_jacobian;    ///< its order requires an exact ∂f/∂y (Rosenbrock methods)
  bool fixed_step;        ///< supports SolveOptions::fixed_step; otherwise solve() rejects it
  bool dense_output;  ///< has a polynomial between its steps; otherwise it shortens a step, even a
                      ///< fixed one, to end on an output time

  bool splits = false;  ///< needs OdeProblem::splitting, and rejects a problem without it
  bool roots = false;   ///< locates OdeProblem::roots

  /// Of a method of the library.
  Solution (*function)(const OdeProblem& problem, const std::vector<double>& times,
                       const SolveOptions& options) = nullptr;
  /// A method from outside the library (own_method.hpp); nullptr: `function`.
  const OwnMethod* own = nullptr;

  /// The solution of `problem` on the grid `times`, which is strictly increasing with
  /// times.front() ≥ problem.t0. Nothing is evaluated beyond times.back().
  ///
  /// Throws InputError for invalid options, an invalid grid or problem, and any exception of a
  /// callback of the problem. Every numerical failure is an Outcome: then t_reached is the time of
  /// the last accepted step, columns up to it are filled and the others are NaN.
  Solution solve(const OdeProblem& problem, const std::vector<double>& times,
                 const SolveOptions& options) const;
};

/// A method for 0 = r(t, y, y'). Fields and guarantees as in OdeMethod.
struct DaeMethod {
  const char* name;       ///< key in studies and tables, "ida"
  const char* title;      ///< full name
  int order;              ///< the highest one if variable
  const char* stability;  ///< "L-stable", …
  const char* source;     ///< origin of the method and its code
  bool roots = false;     ///< locates DaeProblem::roots

  /// As OdeMethod::solve, and Solution::rates holds y' on the grid. Throws InputError if the
  /// residual of (y0, yp0) is larger than the tolerances explain.
  Solution (*solve)(const DaeProblem& problem, const std::vector<double>& times,
                    const SolveOptions& options) = nullptr;
};

}  // namespace rigidlimit
