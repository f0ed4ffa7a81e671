// The contact of a study in numbers: its law and its initial spring, for one system at one start.
#pragma once

#include "rigidlimit/formulations/pair.hpp"
#include "rigidlimit/study/study.hpp"

namespace rigidlimit {

/// G v = 0 up to round-off and 15 typed digits: ‖G v‖∞ ≤ 1e-13 (1 + ‖v‖∞).
bool is_consistent(const Pair& pair, const InitialState& state);

/// Where the rigid motion starts: the initial state, its velocity projected onto G v = 0. For a
/// consistent velocity that changes the round-off of its digits only.
InitialState rigid_start(const Pair& pair, const Study& study);

/// C, D (from the damping ratio and the Delassus matrix at the start, where that is given) and β.
ViscoelasticLaw law_of(const Pair& pair, const Study& study);

/// η(0): 0, C⁻¹Λ(0) (prepared), or as given.
VectorXd initial_deflection(const Pair& pair, const Study& study);

}  // namespace rigidlimit
