// A classical stiff problem as tapes of its right-hand side, Jacobian and end state, its reference,
// and our own solves of it.
#pragma once

#include <string>
#include <vector>

#include "exported_problem.hpp"
#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// The equations of a classical problem.
enum class ClassicalForm {
  ode,  ///< y' = f(t, y); of a DAE: its multipliers are eliminated
  dae   ///< M y' = f(t, y) with a singular diagonal M
};

/// "ode" or "dae".
std::string name_of(ClassicalForm form);

/// Default parameters. The compared quantities are all unknowns at ClassicalProblem::end.
struct ExportedClassical {
  ClassicalProblem problem;
  ClassicalForm form = ClassicalForm::ode;
  ExportedTapes tapes;

  /// `real.ode`, or the callbacks of `real.dae`.
  const OdeProblem& equations() const;
};

/// Throws InputError for an unknown problem or form, or for "dae" of an ODE, and std::runtime_error
/// like check_tapes().
ExportedClassical exported_classical(const std::string& name, const std::string& form);

/// atol/rtol of each unknown of the equations, N: those recommended for the problem.
std::vector<double> atol_over_rtol(const ExportedClassical& exported);

/// Reason why `method` does not solve the equations; empty: it does. For a DAE only Radau IIA does.
std::string refusal_of(const OdeMethod& method, const ExportedClassical& exported);

/// Solves from the start to the end with output at the end only. Tolerances rtol and rtol ·
/// atol_over_rtol, at most 100000 attempted steps. `method` is not refused.
Solution solve(const ExportedClassical& exported, const OdeMethod& method, double rtol);

/// All unknowns at the end of a successful solve.
VectorXd end_of(const ExportedClassical& exported, const Solution& solution);

/// The certified reference of `rigidlimit run` (experiment/benchmark/certified_reference.hpp), and
/// the scales of the error max |y_i − reference_i| / scale_i.
struct ClassicalReference {
  VectorXd end;    ///< all unknowns
  VectorXd scale;  ///< |end_i|; infinite if |end_i| is below the largest error bar: not compared
  double error_bar = 0.0;  ///< in the same norm
};

/// Throws std::runtime_error if the reference is not certified.
ClassicalReference classical_reference(const ClassicalProblem& problem);

}  // namespace rigidlimit
