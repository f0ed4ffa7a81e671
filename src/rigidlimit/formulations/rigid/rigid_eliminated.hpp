// Rigid rolling as an ODE in (q, v) with eliminated multipliers.
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// Ideal rolling as an ODE in y = (q, v), v' from the KKT system (solve_kkt()), in the real numbers
/// T, double or Quad. G v is an invariant of the flow, which the solver preserves only to its
/// accuracy; E v and the system's invariants relax towards zero. M need be positive definite on ker
/// [E; G] only. For redundant contacts Λ is zero on the dependent rows (contact_basis() at the
/// start). One thread at a time: the callbacks own their workspace.
template <class T>
MotionProblem<OdeProblemOf<T>, T> rigid_eliminated(const System& system,
                                                   const InitialStateOf<T>& start);

}  // namespace rigidlimit
