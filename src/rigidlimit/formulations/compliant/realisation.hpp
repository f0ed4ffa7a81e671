// Further realisations of G v = 0 beside spring and damper: ODEs in (q, v) with one small
// parameter.
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// Realisations of the constraint without further states (docs/theory.md, section 5), δ the small
/// parameter, w = G v:
///
///   viscous    λ = (D/δ) w                                   Karapetian 1981; Eldering 2016
///   parasitic  0 = G₊ (v + δ v'),  G₊ = G(q + δ q')          Knorrenschild 1988
///   baumgarte  w' + w/δ = 0                                  Baumgarte 1972
///   inertial   K* + |w|²/(2δ), no contact force              Kozlov 1983: vakonomic motion, not
///                                                            rolling, in the limit
///
/// In the parasitic and the Baumgarte law λ is a multiplier. An equation linear in (v', λ)
/// determines it at every instant: index 1, solved for v' here. The inertial law reports λ = w'/δ,
/// the force along the contact directions.
enum class Realisation { viscous, parasitic, baumgarte, inertial };

/// The motion from `start` under a realisation, y = (q, v). D is m × m and is used by the viscous
/// law only. Throws InputError for the inertial law of a system with quasi-velocities (T ≠ I),
/// because it uses Lagrange's equations of an additional kinetic energy.
MotionProblem<OdeProblem> realised(const System& system, const InitialState& start,
                                   Realisation realisation, const MatrixXd& D, double delta);

}  // namespace rigidlimit
