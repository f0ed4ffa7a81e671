// References of benchmark problems: certified by several methods, in 113 bits, or by the rigid
// side.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/classical/problem.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/motion.hpp"

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
///   Radau IIA on the ODE in 113 bits
///   the same with 7 stages at 100 times the tolerance
///   Radau IIA on the ODE in 53 bits
///   a DAE:   Radau IIA on M y' = f itself, and Fehlberg's explicit pair on the ODE
///   an ODE:  the Rosenbrock method RODAS, and CVODE's BDF
///
/// A problem that switches at instants is solved by each of them from one instant to the next
/// (classical/problem_pieces.hpp).
///
/// Without in_quad: the closed form if the problem has one, Radau IIA in 53 bits, the same with 5
/// stages at 10 times the tolerance, and the last two. Throws InputError if a closed form and the
/// first solve differ by more than the tolerance explains. Absolute tolerances are those of the
/// problem, scaled with rtol. A failed solve is in the list with its outcome; if the first one
/// fails, y is NaN.
CertifiedReference certified_reference(const ClassicalProblem& problem,
                                       const CertificationOptions& options = {});

/// The solution at the end in 113 bits for the decimals of ClassicalProblem::as_printed, which the
/// problem must have, by the first solve of a reference; NaN if the solve fails.
VectorX<Quad> solution_as_printed(const ClassicalProblem& problem, CertificationOptions options);

/// The compliant problem of a study at ε with the first of its laws. ε = 0: ideal rolling without
/// multipliers in (q, v) or, adapted, in (q, u).
MotionProblem<OdeProblem> contact_problem(const RollingStudy& study, Formulation formulation,
                                          double epsilon);

/// The motion of a study at one ε (0: ideal rolling), and the distances of other solves from it.
struct ContactReference {
  /// Distance of another solve in the maximum norm over components and times.
  struct Distance {
    std::string solver;
    double q = 0.0;
    double v = 0.0;
    double lambda = 0.0;
  };

  Motion motion;                    ///< no columns: there is no reference
  std::string solver;               ///< of `motion`
  std::vector<Distance> distances;  ///< of the successful other solves
  std::string message;              ///< why there is no reference; empty if there is one

  /// The largest distance of each group, in the order q, v, λ: the error bar. It is too large,
  /// since it contains the errors of the others, including the rounding of double precision.
  std::array<double, 3> error_bar() const;
};

/// The reference is radau_iia in 113 bits in adapted variables at rtol 1e-16 (rounded to double:
/// 1e-16 of each value). The other solves are radau_iia_7 (another order, another arithmetic) and
/// radau_iia (another Newton matrix too) in double at rtol 1e-13 in adapted variables.
/// For redundant contacts, which have no 113-bit form, the reference is radau_iia_7. There is none
/// if that solve or all others fail.
ContactReference contact_reference(const RollingStudy& study, double epsilon,
                                   const std::vector<double>& times,
                                   const std::function<bool()>& stop_requested = {});

}  // namespace rigidlimit
