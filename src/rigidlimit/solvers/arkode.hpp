// SUNDIALS ARKODE: Runge-Kutta methods for y' = f(t, y), explicit, diagonally implicit, additive.
#pragma once

#include <span>

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// The Butcher tables of one method: enumerators ARKODE_DIRKTableID and ARKODE_ERKTableID of
/// arkode/arkode_butcher_*.h. One of the two: f is treated by it alone. Both: the implicit table
/// takes OdeProblem::splitting's stiff part, the explicit one the rest.
struct ArkodeTables {
  int implicit_part = -1;  ///< −1: none
  int explicit_part = -1;  ///< −1: none
};

/// y' = f by ARKODE's ARKStep with its default step control. Contract: OdeMethod::solve, and
///
/// - Implicit stages are solved by Newton's iteration with the exact dense Jacobian, which the
///   problem must have: of f, or of its stiff part. InputError where it, or the splitting, lacks.
/// - Steps end on the output times. ARKODE's Hermite interpolant takes f at the end of a step from
///   the last stage wherever c_s = 1, also where that is another point (version 6.4: most explicit
///   and all additive tables); on a stiff problem f multiplies what Newton left. Its Lagrange
///   interpolant has no memory after each change of moving coordinates.
/// - ERKStep, which would save one f a step where the last stage is the first of the next, is not
///   used: 6.4 takes that for given wherever c_s = 1, and the orders of Heun-Euler, Sayfy-Aburub,
///   Verner and Fehlberg 7(8) fall to those of their last stages.
/// - rhs_evaluations counts calls of f, or of both of its parts.
///
/// **What the splitting does to the order.** Knife edge, λ = C η + D w/ε, h ≫ ε, additive pair
/// ARK3(2)4L[2]SA, error at the end for h = 0.05, and the order in h:
///
///   splitting                            variables     q            w       λ at ε = 1e-3, 1e-5
///   contact force | all other forces     (q,u,w,η)     4.6e-5 (3)   3.5e-3 (2)     7.7, 820 (2)
///   (w,η)' and contact force | rest      (q,u,w,η)     1.5e-5 (3)   O(ε²)      1.7e-3, 1.7e-3 (2)
///   contact force | all other forces     (q,v,η)       as the fully implicit half: see below
///   none (the implicit half alone)       (q,u,w,η)     1.3e-5 (3)   O(ε²)      4.6e-7, 3.7e-7 (3)
///
/// These pairs are stiffly accurate in their implicit half only: a step ends off its last stage by
/// h Σ (b_j − a_sj) f_rest(Y_j), and if f_rest has a part along w, the w that should be O(ε²) takes
/// it, and λ takes its 1/ε fold. Adaptive steps then grow like 1/ε^0.7 (rtol 1e-6, ARK4(3)7L[2]SA,
/// ε = 1e-2 … 1e-6: 355 to 88 819 steps; with the second splitting 97 to 105, the implicit half
/// alone 41 to 50). In natural variables no splitting keeps w off the explicit part, for w = G(q) v
/// and q is explicit; nor does it pay, for there the implicit half itself needs steps ~ 1/ε^0.3.
Solution solve_arkode(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options, const ArkodeTables& tables);

/// One method a table that suits, in the order of the catalogue.
std::span<const OdeMethod> arkode_methods();

}  // namespace rigidlimit
