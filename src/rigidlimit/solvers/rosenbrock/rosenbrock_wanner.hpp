// Rosenbrock–Wanner methods: one Jacobian and one factorisation per step, one f per stage, no
// iteration.
#pragma once

#include "rigidlimit/solvers/method.hpp"
#include "rigidlimit/solvers/rosenbrock/rosenbrock_coefficients.hpp"

namespace rigidlimit {

/// The method of `tableau` (kept by reference) with steps controlled by its embedded method, or
/// fixed ones. ∂f/∂y and ∂f/∂t must be exact, because the order depends on them (except for a
/// W-method, ROS34PW2). A repeated step reuses ∂f/∂y, ∂f/∂t and f at its start. Output between
/// steps uses the method's continuous extension, which the error control ignores. Contract:
/// OdeMethod::solve.
Solution solve_rosenbrock(const OdeProblem& problem, const std::vector<double>& times,
                          const SolveOptions& options, const RosenbrockTableau& tableau);

/// RODAS, RODASP, Rodas5P and ROS34PW2: see rosenbrock_coefficients.hpp.
Solution solve_rodas4(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options);
Solution solve_rodasp(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options);
Solution solve_rodas5p(const OdeProblem& problem, const std::vector<double>& times,
                       const SolveOptions& options);
Solution solve_ros34pw2(const OdeProblem& problem, const std::vector<double>& times,
                        const SolveOptions& options);

}  // namespace rigidlimit
