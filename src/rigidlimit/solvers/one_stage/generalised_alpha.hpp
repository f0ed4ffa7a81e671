// The generalised-α method for first-order systems, and the one-stage methods of its family:
// implicit midpoint, trapezoidal rule, implicit Euler.
#pragma once

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// The method stores a rate a_n ≈ y' beside the state (Jansen, Whiting & Hulbert, Comput. Methods
/// Appl. Mech. Engrg. 190 (2000); after Chung & Hulbert, J. Appl. Mech. 60 (1993)):
///
///   a_n + α_m (a_(n+1) − a_n) = f(t_n + α_f h, y_n + α_f (y_(n+1) − y_n)),
///   y_(n+1) = y_n + h a_n + γ h (a_(n+1) − a_n).
///
/// Order 2 if γ = 1/2 + α_m − α_f; α_m = (3 − ρ)/(2 + 2ρ), α_f = 1/(1 + ρ) give |R(∞)| = ρ and
/// A-stability. Multibody codes, for M q'' = F, apply it to (q, v) with a separate rate for v'
/// only, and update q with Newmark's β = (1/2 + γ)²/4 from the accelerations. That needs the split
/// into q and v, which a first-order problem does not have. Here every component is treated like
/// their v.
///
/// a_n belongs to the time t_n + (α_f − α_m) h. Before a step of another size it is extrapolated
/// there along (a_n − a_(n−1))/h; otherwise variable steps have order 1. a_0 = f(t0, y0).
struct AlphaRule {
  const char* name;
  double alpha_m, alpha_f, gamma;
  int order;
};

/// The member with ρ = |R(∞)|, 0 ≤ ρ ≤ 1.
constexpr AlphaRule generalised_alpha_rule(const char* name, double rho) {
  const double alpha_m = (3.0 - rho) / (2.0 + 2.0 * rho), alpha_f = 1.0 / (1.0 + rho);
  return {name, alpha_m, alpha_f, 0.5 + alpha_m - alpha_f, 2};
}

/// ρ = 1: a_n cancels, y_(n+1) = y_n + h f(t_n + h/2, (y_n + y_(n+1))/2). Symplectic, R(∞) = −1.
constexpr AlphaRule implicit_midpoint_rule = generalised_alpha_rule("implicit_midpoint", 1.0);
/// a_n = f(t_n, y_n): y_(n+1) = y_n + h (a_n + a_(n+1))/2. R(∞) = −1.
constexpr AlphaRule trapezoidal_rule = {"trapezoidal_rule", 1.0, 1.0, 0.5, 2};
/// y_(n+1) = y_n + h f(t_n + h, y_(n+1)). L-stable.
constexpr AlphaRule implicit_euler_rule = {"implicit_euler", 1.0, 1.0, 1.0, 1};

/// Fixed steps, or steps controlled by halving: two steps of size h/2, which are kept, are compared
/// with one of size h. A difference of (2^p − 1) times the error is a valid estimate for any
/// stiffness, whereas an embedded formula of the same stage has R(∞) = ±1. This costs three stages
/// and two factorisations per step. Output between steps uses the parabola through the three
/// states, with fixed steps the straight line; both have the order of the method. A stiff component
/// may be almost exact at the ends of the steps but not on the parabola, so the error test includes
/// an estimate of the error of the parabola.
///
/// If a_n belongs to another time than t_n, moving coordinates are kept until their condition
/// number exceeds 5 (see cvode.cpp), because a restart costs the rate an error O(h). Contract:
/// OdeMethod::solve.
Solution solve_alpha_rule(const OdeProblem& problem, const std::vector<double>& times,
                          const SolveOptions& options, const AlphaRule& rule);

/// ρ = 1/2, usual in multibody codes, and ρ = 0.
Solution solve_generalised_alpha(const OdeProblem& problem, const std::vector<double>& times,
                                 const SolveOptions& options);
Solution solve_generalised_alpha_dissipative(const OdeProblem& problem,
                                             const std::vector<double>& times,
                                             const SolveOptions& options);
Solution solve_implicit_midpoint(const OdeProblem& problem, const std::vector<double>& times,
                                 const SolveOptions& options);
Solution solve_trapezoidal_rule(const OdeProblem& problem, const std::vector<double>& times,
                                const SolveOptions& options);
Solution solve_implicit_euler(const OdeProblem& problem, const std::vector<double>& times,
                              const SolveOptions& options);

}  // namespace rigidlimit
