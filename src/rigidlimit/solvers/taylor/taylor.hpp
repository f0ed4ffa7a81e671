// Explicit Taylor series method of any order.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// y(t + h) = Σ_{k ≤ p} y_k h^k with the Taylor coefficients y_k of the solution, for problems with
/// recorded rates (BatchedRate::recorded): contract of OdeMethod::solve. The coefficients come from
/// the recurrences of the tape (core/tape/jet_evaluator.hpp). λ = C η + D w is a linear combination
/// of them, so that one tape serves every C, D and κ. The polynomial is also the dense output.
///
/// Order and step follow Jorba & Zou, A software package for the numerical integration of ODEs by
/// means of high-order Taylor methods (2005), sections 3.1 and 3.2, as in heyoka:
///
///   p = ⌈−½ ln rtol⌉ + 1 (at least 3, at most 24),
///   h = e^(−2 − 0.7/(p − 1)) min_{k = p − 1, p} (max_i |y_k,i| / (|y_i| + atol_i/rtol))^(−1/k).
///
/// The rate at the end of a step, with which the next one begins, checks it: with the defect d = f
/// − y' of the polynomial there, a step with h |d_i| / (p + 1) > rtol |y_i| + atol_i is repeated
/// with a smaller h. fixed_step: order p, no check.
///
/// Explicit: on a stiff problem h is at most about 3 times the fastest time constant. Integrals
/// behind (x, w, η) are computed by Gauss quadrature of their rates along the polynomial.
///
/// Work::rhs_evaluations counts evaluations of the tape, one an order, and of OdeProblem::rhs for
/// integrals. Without recorded rates the method runs as solve_runge_kutta_fehlberg78: callers that
/// report its name must check refusal_of() (solvers/catalogue.hpp) first.
Solution solve_taylor(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options);

/// Reason why the problem has no Taylor series here: it has no recorded rates, or a rate contains
/// an operation without recurrence. Empty: it has one.
std::string taylor_refusal(const OdeProblem& problem);

}  // namespace rigidlimit
