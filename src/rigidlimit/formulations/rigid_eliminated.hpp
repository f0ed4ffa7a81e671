// Rigid rolling as an ODE in (q, v): the multipliers eliminated.
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// Ideal rolling as an ODE in y = (q, v), v' from the KKT system (solve_kkt()), in the real numbers
/// T, double or Quad. G v is an invariant of the flow that the solver keeps to its accuracy only;
/// E v and the system's invariants are drawn back to zero. M need be positive definite on
/// ker [E; G] only. Of redundant contacts Λ is zero on the dependent rows (contact_basis() at the
/// start). One thread at a time: the callbacks own their workspace.
template <class T>
MotionProblem<OdeProblemOf<T>, T> rigid_eliminated(const System& system,
                                                   const InitialStateOf<T>& start);

}  // namespace rigidlimit
