// Boost.Odeint's rosenbrock4: the Rosenbrock method RODAS of Hairer & Wanner, order 4(3).
//
// This header has no Boost types and is valid C++17: see odeint_rosenbrock4.cpp.
#pragma once

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// RODAS with its published coefficients: one Jacobian, one factorisation and six evaluations of f
/// per attempted step. The embedded method of order 3 controls the step; output between steps is by
/// the method's interpolant. The problem must have a Jacobian, and a time derivative unless f does
/// not depend on t. Contract: OdeMethod::solve.
Solution solve_rosenbrock4(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options);

/// The same with the coefficients shipped with Odeint, for comparison only: d4 has the wrong sign,
/// so that the order is 1 if f depends on t explicitly (4 if it does not).
Solution solve_rosenbrock4_shipped(const OdeProblem& problem, const std::vector<double>& times,
                                   const SolveOptions& options);

}  // namespace rigidlimit
