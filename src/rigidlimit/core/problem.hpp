// What a solver is given. Mechanics and solvers meet in these two plain structs and nowhere else,
// so that a classical stiff test problem is solved by the same code as a rolling disc.
//
// This header and core/solution.hpp stay valid C++17: the translation unit that holds Odeint's
// rosenbrock4 is compiled as C++17 (uBLAS of Boost 1.74 is not valid C++20).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// Initial value problem y' = f(t, y), y(t0) = y0, with N = y0.size() equations.
struct OdeProblem {
  std::string name;
  double t0 = 0.0;
  VectorXd y0;

  /// f: writes dydt (N) at (t, y). May write non-finite values where f is not defined; a solver
  /// then takes a smaller step.
  std::function<void(double t, VectorIn y, VectorOut dydt)> rhs;

  /// ∂f/∂y: writes all of dfdy (N × N, row i = derivatives of f_i).
  std::function<void(double t, VectorIn y, MatrixOut dfdy)> jacobian;

  /// ∂f/∂t: writes all of dfdt (N). Empty means that f does not depend on t explicitly.
  std::function<void(double t, VectorIn y, VectorOut dfdt)> time_derivative;
};

/// Fully implicit problem 0 = r(t, y, y') with consistent initial data (y0, yp0), N = y0.size().
struct DaeProblem {
  std::string name;
  double t0 = 0.0;
  VectorXd y0;
  VectorXd yp0;  ///< consistent: r(t0, y0, yp0) = 0; a solver does not correct it

  /// r: writes r (N) at (t, y, y').
  std::function<void(double t, VectorIn y, VectorIn yp, VectorOut r)> residual;

  /// ∂r/∂y + α ∂r/∂y': writes all of J (N × N).
  std::function<void(double t, VectorIn y, VectorIn yp, double alpha, MatrixOut J)> jacobian;

  /// differential[i]: y_i' occurs in r. The others are algebraic variables.
  std::vector<bool> differential;

  /// true: algebraic variables take no part in the local error test. An index-2 problem needs
  /// this (their error estimate does not shrink with the step), and a result must report it.
  bool algebraic_variables_untested = false;
};

}  // namespace rigidlimit
