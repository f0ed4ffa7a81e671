// One compliant motion solved to the same achieved error by methods whose tolerances mean different
// things.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// The error at the end time that every method has to reach: max over q (m, rad) and v (m/s,
/// rad/s).
inline constexpr double wanted_error = 1e-10;

/// More attempted steps than this are a failure.
inline constexpr long most_steps = 20000;

/// rtol, atol = rtol/100, most_steps.
SolveOptions options_at(double rtol);

/// (q, v) at the end of the study at one ε, nq + n (experiment/benchmark/contact_reference.hpp),
/// and how far two others end from it, in the maximum norm.
struct EndReference {
  VectorXd end;
  double to_radau_7 = 0.0;     ///< radau_iia_7 in double, rtol 1e-13
  double to_fast_block = 0.0;  ///< radau_iia_fast_block in double, rtol 1e-13
};

/// What one solve cost and how far it ended from the reference.
struct EndSolve {
  double rtol = 0.0;  ///< atol = rtol/100
  Outcome outcome = Outcome::not_run;
  Work work;
  double error = 0.0;  ///< max |q − q_ref|, |v − v_ref|; NaN where the end was not reached
};

/// The compliant problem of a study at one ε in one formulation, to be solved to the end time only.
class EndProblem {
 public:
  EndProblem(const RollingStudy& study, Formulation formulation, double epsilon);

  /// Solves from the start; nothing but the call of the method, for stop-watches.
  Solution solve(const OdeMethod& method, double rtol) const;

  /// (q, v) at the end, nq + n.
  VectorXd end(const Solution& solution) const;

 private:
  MotionProblem<OdeProblem> problem_;
  std::vector<double> times_;
};

/// Throws std::runtime_error where there is none, or one of the two others does not arrive.
EndReference end_reference(const RollingStudy& study, double epsilon);

/// The loosest tolerance of the grid 10^(−1 − k/8) ≥ 1e-14 at which error ≤ wanted_error, and at
/// the next tighter one too: an error has zeros as a function of the tolerance, and one of them
/// would be luck. For the same reason a scan from the loosest down, and no bisection. It ends early
/// after two solves in a row that took most_steps. nullopt: none serves.
std::optional<EndSolve> loosest_that_serves(const EndProblem& problem, const OdeMethod& method,
                                            const EndReference& reference);

}  // namespace rigidlimit
