// Rigid rolling as the classical reduced system in (q, u): the limit of
// formulations/compliant/adapted.hpp.
#pragma once

#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/formulations/compliant/adapted_options.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// Ideal rolling by the equations of Maggi, Kane and Hamel, y = (q, u), sizes nq and n − ne − r; T
/// double or Quad (docs/theory.md, section 11 with w = 0):
///
///   v = B(q)⁻¹ (u, 0, 0),   B = [S; E; G_I],   q' = T v,
///   u' = S a + (∂q S[q']) v,   a from the KKT system.
///
/// E v = 0 and G v = 0 hold by the choice of variables, to round-off: the part of the velocity of
/// `start` that violates them is dropped. If the system has invariants, q' includes their restoring
/// rate. A column of Solution::states is (q, v); Λ is that of the KKT system, zero on dependent
/// rows (mechanics/kkt.hpp). Only one solve at a time, as in compliant_adapted.
template <class T>
MotionProblem<OdeProblemOf<T>, T> rigid_reduced(const System& system,
                                                const InitialStateOf<T>& start,
                                                const AdaptedOptions& options = {});

extern template MotionProblem<OdeProblemOf<double>, double> rigid_reduced(const System&,
                                                                          const InitialState&,
                                                                          const AdaptedOptions&);
extern template MotionProblem<OdeProblemOf<Quad>, Quad> rigid_reduced(const System&,
                                                                      const InitialStateOf<Quad>&,
                                                                      const AdaptedOptions&);

}  // namespace rigidlimit
