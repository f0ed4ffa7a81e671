// Other ways to bring about G v = 0 than a spring and a damper: ODEs in (q, v) with one small
// parameter.
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// Realisations of the constraint without a state of their own (docs/theory.md, section 5), δ the
/// small parameter, w = G v:
///
///   viscous    λ = (D/δ) w                                   Karapetian 1981; Eldering 2016
///   parasitic  0 = G₊ (v + δ v'),  G₊ = G(q + δ q')          Knorrenschild 1988
///   baumgarte  w' + w/δ = 0                                  Baumgarte 1972
///   inertial   K* + |w|²/(2δ), no contact force              Kozlov 1983: vakonomic motion, not
///                                                            rolling, in the limit
///
/// In the parasitic and the Baumgarte law λ is a multiplier, determined at every instant by an
/// equation linear in (v', λ): index 1, solved for v' here. The inertial law reports
/// λ = w'/δ, the force along the contact directions.
enum class Realisation { viscous, parasitic, baumgarte, inertial };

/// The motion from `start` under a realisation, y = (q, v). D is m × m and belongs to the viscous
/// law alone. Throws InputError for the inertial law of a system with quasi-velocities (T ≠ I):
/// Lagrange's equations of a further kinetic energy are taken.
MotionProblem<OdeProblem> realised(const System& system, const InitialState& start,
                                   Realisation realisation, const MatrixXd& D, double delta);

}  // namespace rigidlimit
