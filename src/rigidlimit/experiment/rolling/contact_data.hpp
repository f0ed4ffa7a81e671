// The contact of a study in numbers: its law and its initial spring, for one system at one start.
#pragma once

#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"

namespace rigidlimit {

/// G v = 0 up to round-off and 15 typed digits: ‖G v‖∞ ≤ 1e-13 (1 + ‖v‖∞).
bool is_consistent(const System& system, const InitialState& state);

/// Where the rigid motion starts: the initial state, its velocity projected onto G v = 0. For a
/// consistent velocity that changes the round-off of its digits only.
InitialState rigid_start(const RollingStudy& study);

/// C, D (from the damping ratio and the Delassus matrix at the start, where that is given) and β.
/// Redundant contacts are damped each for itself, D_ii = ζ 2 sqrt(C_ii/A_ii): the critical matrix
/// is singular on their internal forces. D = 0 for a law without damper.
ViscoelasticLaw law_of(const RollingStudy& study, const LawInfo& law);
/// The same of the viscoelastic law.
ViscoelasticLaw law_of(const RollingStudy& study);

/// η(0): 0, C⁻¹Λ(0) (prepared), or as given.
VectorXd initial_deflection(const RollingStudy& study);

/// Λ(0) of the rigid motion; of redundant contacts the one that the compliant contact selects.
VectorXd multiplier_at_start(const RollingStudy& study);

}  // namespace rigidlimit
