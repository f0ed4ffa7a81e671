// The state of a system in messages about one whose components have no names there.
#pragma once

#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// q without the clock of a system with surfaces that move (core/visible_components.hpp).
VectorXd visible_coordinates(const System& system, const VectorXd& q);

/// v without the rate of the clock, which is the last velocity.
VectorXd visible_velocities(const System& system, const VectorXd& v);

}  // namespace rigidlimit
