// SUNDIALS ARKODE: Runge-Kutta methods for y' = f(t, y), explicit, diagonally implicit, additive.
#pragma once

#include <span>

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// The Butcher tables of one method: enumerators ARKODE_DIRKTableID and ARKODE_ERKTableID of
/// arkode/arkode_butcher_*.h. With one table, it treats all of f. With both, the implicit table
/// treats the stiff part of OdeProblem::splitting, the explicit one the rest.
struct ArkodeTables {
  int implicit_part = -1;  ///< −1: none
  int explicit_part = -1;  ///< −1: none
};

/// y' = f by ARKODE's ARKStep with its default step control. Contract: OdeMethod::solve, and
///
/// - A Newton iteration solves implicit stages with the exact dense Jacobian of f, or of its stiff
///   part. InputError if the problem lacks the Jacobian or the splitting.
/// - Steps end on the output times. ARKODE's cubic Hermite interpolant is up to thirty times less
///   accurate than the tolerances of the steps (measured for the implicit tables on the models of
///   the tests). Moreover, 6.4 takes f at its end from the last stage wherever c_s = 1, which is
///   another point for most explicit and all additive tables. The Lagrange interpolant has no
///   history after each change of moving coordinates.
/// - ERKStep is not used, although it saves one f per step if the last stage is the first of the
///   next. 6.4 assumes this property wherever c_s = 1, and the orders of Sayfy & Aburub's, Verner's
///   and Fehlberg's 7(8) table fall to 2, 3 and 7 (y' = -2ty²; ARKStep: 4, 6, 8).
/// - rhs_evaluations counts calls of f, or of both of its parts.
///
/// **Effect of the splitting on the order.** Knife edge, λ = C η + D w/ε, ARK3(2)4L[2]SA, errors at
/// the end with steps h = 0.05 ≫ ε, and their orders in h:
///
///   implicit | explicit                    q            w            λ at ε = 1e-3, 1e-5
///   contact force, η' | all other forces   4.5e-5 (3)   3.5e-3 (2)   7.7, 820 (2)
///   w', η', contact force | rest           1.5e-5 (3)   < ε²         1.7e-3, 1.7e-3 (2)
///   all | nothing: the implicit half       1.3e-5 (3)   < ε²         4.6e-7, 3.7e-7 (3)
///
/// Only the implicit half of these pairs is stiffly accurate: the end of a step differs from its
/// last stage by h Σ (b_j − a_sj) f_rest(Y_j). If f_rest has a part along w, this term enters the w
/// that should be O(ε²), and λ amplifies it by 1/ε. Numbers of adaptive steps show it:
/// ARK4(3)7L[2]SA, rtol 1e-6, ε = 1e-2 … 1e-6: 355 to 88 819 with the first splitting, 97 to 105
/// with the second, 51 to 58 with the implicit half alone. compliant_adapted() uses the second
/// splitting. In (q, v, η) only the first is available, because w = G(q) v is not a variable. If
/// the other forces are not constant, the number of steps then grows like 1/ε (rolling disk, ε =
/// 1e-2, 1e-4: 159, 4043; implicit half 67, 452; adapted 108, 327 and 63, 105). In adapted
/// variables the pair takes 0.98 to 11 times the steps of its implicit half (the systems of the
/// catalogue, ε = 1e-4), and saves only the Jacobian of the slow motion.
///
/// **MRIStep** is not offered: its slow step has a fixed size in 6.4. With the second splitting,
/// slow steps by MRI-GARK-ERK33a and fast ones by an adaptive ESDIRK method, q, v and λ have order
/// 3 at every ε. But each slow stage starts a new layer: 3700 to 19 000 f at ε = 1e-6 … 1e-4 for an
/// error of 8e-7, against 850 of the implicit half alone. With the first splitting λ has order 1.
Solution solve_arkode(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options, const ArkodeTables& tables);

/// One method per suitable table, in the order of the catalogue.
std::span<const OdeMethod> arkode_methods();

}  // namespace rigidlimit
