// A reference for a classical problem with error bars: from at least two methods, two precisions
// and, for a DAE, two formulations.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/classical/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// The solves of a reference.
struct CertificationOptions {
  bool in_quad = true;       ///< two solves in 113 bits; false: all in double
  bool as_printed = false;   ///< the 113-bit solves use ClassicalProblem::as_printed, if present
  double quad_rtol = 1e-20;  ///< of the reference itself with in_quad
  double rtol = 1e-13;       ///< of the solves in double
  long max_steps = 2000000;  ///< of each solve
  std::function<bool()> stop_requested = {};  ///< see SolveOptions
};

/// One of the solves: all unknowns at the end of the problem.
struct CertifyingSolve {
  std::string method;  ///< name in the catalogue, and the formulation: "radau_iia, ode"
  int bits = 53;       ///< of the numbers
  double rtol = 0.0;
  Outcome outcome = Outcome::not_run;
  Work work = {};
  double seconds = 0.0;    ///< processor time; for information only
  VectorX<Quad> y = {};    ///< N; NaN unless outcome is success
  VectorXd distance = {};  ///< |y − reference|, N
};

/// The solution at ClassicalProblem::end, all unknowns.
struct CertifiedReference {
  VectorX<Quad> y;  ///< of solves.front()
  std::vector<CertifyingSolve> solves;

  /// Distance to the same method in double: the effect of 53-bit rounding on this problem, and the
  /// error bar for solutions in double.
  VectorXd error_bar;

  /// Distance to a solve in the same precision by a method of another order at another tolerance:
  /// the error of the reference from discretisation and round-off. Without `in_quad` it is also the
  /// error bar.
  VectorXd discretisation_bar;

  /// Whether a solve of another family, or of the DAE itself, and the second solve of the same
  /// family agree with the reference within their tolerances.
  bool certified = false;
};

/// Computes a reference, the first of these solves:
///
///   Radau IIA of variable order on the ODE in 113 bits
///   the same with 7 stages at 100 times the tolerance
///   Radau IIA on the ODE in 53 bits
///   a DAE:   Radau IIA on M y' = f itself, and Fehlberg's explicit pair on the ODE
///   an ODE:  the Rosenbrock method RODAS, and CVODE's BDF
///
/// Without in_quad: Radau IIA in 53 bits, the same with 5 stages at 10 times the tolerance, and the
/// last two. Absolute tolerances are those of the problem, scaled with rtol. A failed solve is in
/// the list with its outcome; if the first one fails, y is NaN.
CertifiedReference certified_reference(const ClassicalProblem& problem,
                                       const CertificationOptions& options = {});

}  // namespace rigidlimit
