// A reference for a classical problem that says how far it can be trusted: two methods or more, two
// precisions and, for a DAE, two formulations, and the distances between them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/classical/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// Which solves a reference is made of.
struct CertificationOptions {
  bool in_quad = true;       ///< two solves with 113 bits; else all are in double
  bool as_printed = false;   ///< in_quad: of ClassicalProblem::as_printed, where there is one
  double quad_rtol = 1e-20;  ///< of the reference itself if in_quad
  double rtol = 1e-13;       ///< of the solves in double
  long max_steps = 2000000;  ///< of each solve
  std::function<bool()> stop_requested = {};  ///< as SolveOptions'
};

/// One of the solves: all unknowns of the problem at its end.
struct CertifyingSolve {
  std::string method;  ///< as in the catalogue, and the formulation: "radau_iia, ode"
  int bits = 53;       ///< of the numbers
  double rtol = 0.0;
  Outcome outcome = Outcome::not_run;
  Work work = {};
  double seconds = 0.0;    ///< of the processor; for a reader, never compared
  VectorX<Quad> y = {};    ///< N; NaN unless outcome is success
  VectorXd distance = {};  ///< |y − reference|, N
};

/// The solution at ClassicalProblem::end, all unknowns.
struct CertifiedReference {
  VectorX<Quad> y;  ///< of solves.front()
  std::vector<CertifyingSolve> solves;

  /// Distance to the same method in double: what the round-off of 53 bits does to this problem, and
  /// all that a solution in double can be judged by.
  VectorXd error_bar;

  /// Distance to the solve in the same precision by a method of another order at another tolerance:
  /// the error of the reference as far as discretisation and round-off go. Without `in_quad` it is
  /// the error bar as well.
  VectorXd discretisation_bar;

  /// A solve of another family, or of the DAE as it stands, agrees with the reference within what
  /// its tolerance explains, and so does the second one of the same family.
  bool certified = false;
};

/// The reference is the first of
///
///   Radau IIA of variable order on the ODE in 113 bits
///   the same with 7 stages at 100 times the tolerance
///   Radau IIA on the ODE in 53 bits
///   a DAE:   Radau IIA on M y' = f as it stands, and Fehlberg's explicit pair on the ODE
///   an ODE:  the Rosenbrock method RODAS, and CVODE's BDF
///
/// With !in_quad Radau IIA in 53 bits, with 5 stages at 10 times the tolerance, and the others.
/// Absolute tolerances are the problem's, scaled with rtol. A solve that fails is in the list with
/// its outcome; if it is the first, y is NaN.
CertifiedReference certified_reference(const ClassicalProblem& problem,
                                       const CertificationOptions& options = {});

}  // namespace rigidlimit
