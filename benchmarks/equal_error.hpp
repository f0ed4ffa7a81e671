// Solves of a compliant motion to the same achieved error, by methods with tolerances of different
// meaning.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// The error at the end time that every method must reach: max over q (m, rad) and v (m/s, rad/s).
inline constexpr double wanted_error = 1e-10;

/// The largest number of attempted steps; more are a failure.
inline constexpr long most_steps = 20000;

/// rtol, atol = rtol/100, most_steps.
SolveOptions options_at(double rtol);

/// (q, v) at the end of the study at one ε, nq + n (experiment/benchmark/benchmark_references.hpp),
/// and the distances of two other solutions, in the maximum norm.
struct EndReference {
  VectorXd end;
  double to_radau_7 = 0.0;  ///< radau_iia_7 in double, rtol 1e-13
  double to_radau = 0.0;    ///< radau_iia in double, rtol 1e-13; rigid: 0

  double error_bar() const { return std::max(to_radau_7, to_radau); }
};

/// The cost of a solve, and its error against the reference.
struct EndSolve {
  double rtol = 0.0;  ///< atol = rtol/100
  Outcome outcome = Outcome::not_run;
  Work work;
  double error = 0.0;  ///< max |q − q_ref|, |v − v_ref|; NaN if the end was not reached
};

/// A problem with output at the end time only.
class EndProblem {
 public:
  EndProblem(MotionProblem<OdeProblem> problem, double end_time);
  /// The compliant problem of a study at one ε in one formulation.
  EndProblem(const RollingStudy& study, Formulation formulation, double epsilon);

  const OdeProblem& problem() const { return problem_.problem; }

  /// Solves from the start; only calls the method, for timings.
  Solution solve(const OdeMethod& method, double rtol) const;

  /// (q, v) at the end, nq + n.
  VectorXd end(const Solution& solution) const;

 private:
  MotionProblem<OdeProblem> problem_;
  std::vector<double> times_;
};

/// Throws std::runtime_error if there is no reference, or if one of the two other solves fails.
EndReference end_reference(const RollingStudy& study, double epsilon);

/// (q, v) of the rigid motion at the end: runge_kutta_fehlberg78 on the reduced system, rtol 1e-13.
/// Throws std::runtime_error if it or radau_iia_7 fails.
EndReference rigid_end_reference(const RollingStudy& study);

/// The loosest tolerance of the grid 10^(−1 − k/8) ≥ 1e-14 with error ≤ wanted_error there and at
/// the next tighter one: as a function of the tolerance an error has accidental zeros. For the same
/// reason the search scans from the loosest down instead of bisecting. It ends early after two
/// consecutive solves of most_steps. nullopt: no tolerance is sufficient.
std::optional<EndSolve> loosest_that_serves(const EndProblem& problem, const OdeMethod& method,
                                            const EndReference& reference);

}  // namespace rigidlimit
