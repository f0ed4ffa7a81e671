// Input checks of every solve. Valid C++17.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// Throws InputError, with the offending value, unless: y0 is finite with at least one entry and t0
/// is finite; `times` is not empty, finite, strictly increasing and does not start before t0; rtol
/// and atol are positive and finite; atol_of is empty or N such numbers; max_steps ≥ 1;
/// initial_step, fixed_step and max_step are finite and not negative; fixed_step is 0 unless
/// `fixed_step_possible`.
void check_start_and_options(const std::string& name, double t0, const VectorXd& y0,
                             const std::vector<double>& times, const SolveOptions& options,
                             bool fixed_step_possible);

/// The same. Also, `problem` must have a right-hand side, and no roots that must be located unless
/// the method `locates_roots`.
template <class T>
void check_input(const OdeProblemOf<T>& problem, const std::vector<double>& times,
                 const SolveOptions& options, bool fixed_step_possible,
                 bool locates_roots = false) {
  if (!problem.rhs) throw InputError(problem.name + ": no right-hand side");
  if (!locates_roots && problem.roots && problem.roots->must_be_located())
    throw InputError(problem.name +
                     ": the right-hand side ends at roots, which this method does not locate");
  check_start_and_options(problem.name, problem.t0, problem.y0.template cast<double>(), times,
                          options, fixed_step_possible);
}

/// The absolute tolerances of the N components.
VectorXd absolute_tolerances(const SolveOptions& options, Index n);

/// Checks of optional parts of a problem. Throws InputError unless: the sparse Jacobian has its
/// values and an N × N pattern with ascending rows and the diagonal; the mass matrix is N × N and
/// finite; `index` has N entries, none negative.
void check_sparse_jacobian(const std::string& name, Index n, const SparseJacobian& jacobian);
void check_mass(const std::string& name, Index n, const MatrixXd& mass,
                const std::vector<int>& index);

/// The same for a DAE, whose yp0 and `differential` must have the size of y0; and the start is
/// consistent. With w_j = rtol |y_j| + atol (and w'_j likewise from y'_j) the bound on residual i
/// is
///
///   Σ_j |∂r_i/∂y_j| (w_j + 1000 u |y_j|) + Σ_j |∂r_i/∂y'_j| (w'_j + 1000 u |y'_j|),
///
/// u the unit round-off, so that an error in the start within the tolerances passes. Errors visible
/// only in a differentiated constraint (y' and multipliers of an index-2 problem) are not detected.
/// Costs one residual and two Jacobians, which are added to `work`.
void check_input(const DaeProblem& problem, const std::vector<double>& times,
                 const SolveOptions& options, Work& work);

}  // namespace rigidlimit
