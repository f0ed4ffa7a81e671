// A problem of a study as tapes of its whole right-hand side, Jacobian and end state, written as C
// and JSON for solvers of other libraries (benchmarks/peers).
#pragma once

#include <string>

#include "rigidlimit/experiment/problem_source/written_problem.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"

namespace rigidlimit {

/// The variables of the state y.
enum class ExportedVariables {
  adapted,  ///< compliant, (q, u, w, η)
  natural,  ///< compliant, (q, v, η)
  reduced   ///< rigid, (q, u)
};

/// Throws InputError for unknown names.
ExportedVariables exported_variables(const std::string& name);

/// N equations y' = f(t, y) or M y' = f(t, y).
struct ExportedTapes : RateTapes {
  Tape end;  ///< y -> the compared quantities at the end time: (q, v), or all unknowns
};

/// Throws std::runtime_error if the tapes differ from the right-hand side or Jacobian of `ode` at
/// y0 by more than 1e-9 of its largest entry.
void check_tapes(const ExportedTapes& tapes, const OdeProblem& ode);

struct ExportedProblem {
  MotionProblem<OdeProblem> problem;  ///< the same problem for our own solvers
  ExportedTapes tapes;
};

/// The problem in the coordinates of the start, which stay fixed. ε in (0, 1]; reduced: unused.
///
/// Throws std::runtime_error like check_tapes().
ExportedProblem exported_problem(const RollingStudy& study, ExportedVariables variables,
                                 double epsilon);

/// C source with the functions, times in s,
///
///   void rate(double t, const double* y, double* f)        f, N
///   void jacobian(double t, const double* y, double* J)    ∂f/∂y, N × N, column by column
///   void end_state(const double* y, double* end)           ExportedTapes::end
std::string c_source(const ExportedTapes& tapes);

/// JSON object {inputs, constants, steps, outputs} of a tape. A step is [operation, a, b, c] with
/// the operands it has. A value is the number of an input, then of a step; constant k is −1 − k.
std::string json_of(const Tape& tape);

}  // namespace rigidlimit
