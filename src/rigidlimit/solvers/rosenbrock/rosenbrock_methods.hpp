// Rosenbrock–Wanner methods (one Jacobian and one factorisation per step, one f per stage, no
// iteration) and exponential Rosenbrock methods, for which the linear part at the start of the step
// is exact.
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

/// RODAS, RODASP, Rodas5P, Rodas6P and ROS34PW2: see rosenbrock_coefficients.hpp.
Solution solve_rodas4(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options);
Solution solve_rodasp(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options);
Solution solve_rodas5p(const OdeProblem& problem, const std::vector<double>& times,
                       const SolveOptions& options);
Solution solve_rodas6p(const OdeProblem& problem, const std::vector<double>& times,
                       const SolveOptions& options);
Solution solve_ros34pw2(const OdeProblem& problem, const std::vector<double>& times,
                        const SolveOptions& options);

/// With J = ∂f/∂y and v = ∂f/∂t at (t₀, y₀) and the rest g(t, y) = f − J y − v t,
///
///   y(t₀ + h) = y₀ + h φ_1(hJ) f₀ + h² φ_2(hJ) v + ∫₀^h e^((h−σ)J) (g(t₀ + σ, y(t₀ + σ)) − g₀) dσ
///
/// is exact; the integral is replaced by that of a polynomial in σ through values of g at explicit
/// stages. exprb32: order 3(2); its embedded method has no remainder term. Hochbruck, Ostermann &
/// Schweitzer, Exponential Rosenbrock-type methods, SIAM J. Numer. Anal. 47 (2009), (5.6) in the
/// form with v of their section 2.
///
/// A linear problem with linear dependence on t is solved exactly for every h. Stiffness does not
/// reduce the order as long as it is in J and ∂²f/∂y² along the motion is moderate. (The estimate
/// of exprb32 is pessimistic in a component that follows the slow motion algebraically, such as the
/// deflection of a stiff contact: there the method of order 2 has an error h², the one of order 3
/// none. On the knife edge at ε = 1e-6, rtol 1e-8, the error is 3e-12 with 10663 steps; exprb43
/// takes 510.)
/// Work::factorisations counts the evaluations of matrix functions, one per attempted step. An
/// output time inside a step costs one more, but no f: it uses the same formula with the polynomial
/// integrated up to there, with the order of the method, stiff or not. The problem must have its
/// exact Jacobian, and a time derivative unless f does not depend on t. Contract: OdeMethod::solve.
Solution solve_exprb32(const OdeProblem& problem, const std::vector<double>& times,
                       const SolveOptions& options);

/// exprb43, order 4(3), ibid. (5.8), with stages at t₀ + h/2 and t₀ + h.
Solution solve_exprb43(const OdeProblem& problem, const std::vector<double>& times,
                       const SolveOptions& options);

}  // namespace rigidlimit
