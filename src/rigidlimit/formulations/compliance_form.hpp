// Viscoelastic and ideal rolling as one DAE with λ among its unknowns: ε > 0 and ε = 0.
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// How the contact law λ = C η + D ε^(−β) w, ε² η' = w, w = G v, is written so that no coefficient
/// grows as ε → 0.
enum class ComplianceForm {
  /// y = (q, v, κ, η, λ):  ε² η' = w,  0 = λ − C η − ε^(2−β) D η'. For ε > 0 λ is algebraic of
  /// index 1. Written with ε^(−β) w instead of ε^(2−β) η' it would have no limit. λ is as exact as
  /// the method's η': IDA at rtol 1e-9 loses three digits by it where the contact rings (rolling
  /// disc, ε = 1e-2: 1e-5 in v against 6e-8), and may run out of steps.
  with_deflection,
  /// y = (q, v, κ, λ):  ε² C⁻¹ λ' = w + ε^(2−β) C⁻¹ D w', the law differentiated once and η
  /// eliminated, w' = G v' + (∂q G[T v]) v. For ε > 0 an implicit ODE (index 0) in λ. The form to
  /// solve.
  without_deflection
};

/// The compliant problem at ε ≥ 0 with exact Jacobian and consistent start,
///
///   0 = q' − T v,   0 = M v' − F + Eᵀκ + Gᵀλ,   0 = E v,   and the contact rows of `form`.
///
/// At ε = 0 (β < 2) both forms are the rigid problem 0 = G v, index 2 in λ (and η = C⁻¹λ); for
/// ε > 0 the index is that of `form`, or 2 in κ where there are exact rows. One DAE method thus
/// runs both ends of a series; what is of index 2 takes no part in its error test, λ of
/// without_deflection takes part for ε > 0. Where the system has invariants e, q' − T v draws back
/// to e = 0.
///
/// From `start` with E v = 0 and, for ε > 0, the scaled deflection eta0 (m): λ(0) is that of the
/// law, v'(0) its consequence. At ε = 0 nothing is free: G v = 0 is the caller's, λ(0) is the
/// rigid multiplier and eta0 has no part. The motion's λ is that of the state.
///
/// Throws InputError for ε < 0, and at ε = 0 for β ≥ 2 (the limit is a slow creep, docs/theory.md,
/// section 5) and for redundant contacts (λ is not unique). One thread at a time: the callbacks own
/// their workspace.
MotionProblem<DaeProblem> compliance_form(const System& system, const InitialState& start,
                                          const ViscoelasticLaw& law, double epsilon,
                                          const VectorXd& eta0, ComplianceForm form);

}  // namespace rigidlimit
