// Viscoelastic rolling as a stiff ODE in constraint-adapted velocities (q, u, w, η).
#pragma once

#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/formulations/compliant/adapted_options.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// The compliant problem at one ε in y = (q, u, w_I, η), sizes nq, n − ne − r, r and m, from
/// `start` with the scaled spring deflection eta0 (m) at t = 0; T double or Quad (docs/theory.md,
/// section 11):
///
///   v = B(q)⁻¹ (u, 0, w_I),   B = [S; E; G_I],   q' = T v,   w = H w_I = G v,
///   (u, w_I)' = [S; G_I] a + (∂q [S; G_I][q']) v,   ε² η' = w,
///   M a = F − Eᵀκ − G_Iᵀ Hᵀλ,   E a = −(∂q E[q']) v,   λ = C η + D ε^(−β) w.
///
/// The velocity need not satisfy G v = 0. E v = 0 holds by the choice of variables: the part of
/// start.v that violates it is dropped. If the system has invariants, q' includes their restoring
/// rate.
///
/// q enters the large terms only through A = G_I M⁻¹ G_Iᵀ: the fast part of (w_I, η) is linear,
/// with slowly varying coefficients. w is never computed from v, which would lose the digits that
/// 1/ε² needs.
///
/// In double there is a splitting: stiff is all of (w_I, η)' and the effect of λ on u; rest is q'
/// and the effect of the other forces on u. The splitting "contact force against all other forces"
/// is not used. With it w_I would take the error of an explicit method, O(h²) and more, where it
/// must stay O(ε²). λ would amplify that error by D ε^(−β) (numbers in
/// solvers/sundials/arkode.hpp). The stiff Jacobian lacks the terms that are O(1) in 1/ε.
///
/// A column of Solution::states is (q, v, η, w), independent of the current S: the first nq + n + m
/// rows are those of compliant_ode. w (all m) keeps the digits of λ that G(q) v has lost (all but
/// log10(1/ε) fewer). Unless the S are natural quasi-velocities, the callbacks share a frame and
/// workspace: only one solve at a time, over all copies. Each solve begins with the S of the start.
/// Throws InputError if redundant contacts change their dependence (adapted_frame.hpp).
template <class T = double>
MotionProblem<OdeProblemOf<T>, T> compliant_adapted(const System& system,
                                                    const InitialStateOf<T>& start,
                                                    const ViscoelasticLaw& law, double epsilon,
                                                    const VectorXd& eta0,
                                                    const AdaptedOptions& options = {});

extern template MotionProblem<OdeProblemOf<double>, double> compliant_adapted(
    const System&, const InitialState&, const ViscoelasticLaw&, double, const VectorXd&,
    const AdaptedOptions&);
extern template MotionProblem<OdeProblemOf<Quad>, Quad> compliant_adapted(
    const System&, const InitialStateOf<Quad>&, const ViscoelasticLaw&, double, const VectorXd&,
    const AdaptedOptions&);

}  // namespace rigidlimit
