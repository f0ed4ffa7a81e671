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
/// - Steps end on the output times. ARKODE's cubic Hermite interpolant is up to thirty times less
///   accurate than the tolerances that the steps keep (measured for the implicit tables on the
///   models of the tests), and 6.4 takes f at its end from the last stage wherever c_s = 1, also
///   where that is another point: for most explicit and all additive tables. Lagrange's has no
///   memory after each change of moving coordinates.
/// - ERKStep, which would save one f a step where the last stage is the first of the next, is not
///   used: 6.4 takes that for given wherever c_s = 1, and the orders of Sayfy & Aburub's, Verner's
///   and Fehlberg's 7(8) table fall to 2, 3 and 7 (y' = -2ty²; ARKStep: 4, 6, 8).
/// - rhs_evaluations counts calls of f, or of both of its parts.
///
/// **What the splitting does to the order.** Knife edge, λ = C η + D w/ε, ARK3(2)4L[2]SA, errors
/// at the end with steps h = 0.05 ≫ ε, and their orders in h:
///
///   implicit | explicit                    q            w            λ at ε = 1e-3, 1e-5
///   contact force, η' | all other forces   4.5e-5 (3)   3.5e-3 (2)   7.7, 820 (2)
///   w', η', contact force | rest           1.5e-5 (3)   < ε²         1.7e-3, 1.7e-3 (2)
///   all | nothing: the implicit half       1.3e-5 (3)   < ε²         4.6e-7, 3.7e-7 (3)
///
/// These pairs are stiffly accurate in their implicit half only: a step ends off its last stage by
/// h Σ (b_j − a_sj) f_rest(Y_j). If f_rest has a part along w, the w that should be O(ε²) takes it,
/// and λ takes its 1/ε fold. Adaptive steps show it: ARK4(3)7L[2]SA, rtol 1e-6, ε = 1e-2 … 1e-6:
/// 355 to 88 819 with the first splitting, 97 to 105 with the second, 51 to 58 with the implicit
/// half alone. compliant_adapted() splits in the second way. In (q, v, η) only the first is to be
/// had, w = G(q) v being no variable: where the other forces are not constant steps grow like 1/ε
/// (rolling disk, ε = 1e-2, 1e-4: 159, 4043; implicit half 67, 452; adapted 108, 327 and 63, 105).
/// In adapted variables it takes 0.98 to 11 times the steps of its implicit half (the systems of
/// the catalogue, ε = 1e-4), and saves the Jacobian of the slow motion alone.
///
/// **MRIStep** is not offered. Its slow step has a fixed size in 6.4. With the second splitting,
/// slow steps by MRI-GARK-ERK33a and fast ones by an adaptive ESDIRK method, q, v and λ have order
/// 3 at every ε, but each slow stage starts a layer anew: 3700 to 19 000 f at ε = 1e-6 … 1e-4 for
/// an error of 8e-7, against 850 of the implicit half alone. With the first λ has order 1.
Solution solve_arkode(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options, const ArkodeTables& tables);

/// One method a table that suits, in the order of the catalogue.
std::span<const OdeMethod> arkode_methods();

}  // namespace rigidlimit
