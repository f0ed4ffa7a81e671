// Boost.Odeint's rosenbrock4: the Rosenbrock method RODAS of Hairer & Wanner, order 4(3).
//
// No Boost type here, and valid C++17: see odeint_rosenbrock4.cpp.
#pragma once

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// RODAS with its published coefficients: one Jacobian, one factorisation and six evaluations of f
/// an attempted step, step control by the embedded method of order 3, output between steps by the
/// method's interpolant. The problem must have a Jacobian, and a time derivative unless f does not
/// depend on t. Contract: OdeMethod::solve.
Solution solve_rosenbrock4(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options);

/// The same with the coefficients that Odeint ships, for comparison only: d4 has the wrong sign, so
/// that the order is 1 where f depends on t explicitly (4 where it does not).
Solution solve_rosenbrock4_shipped(const OdeProblem& problem, const std::vector<double>& times,
                                   const SolveOptions& options);

}  // namespace rigidlimit
