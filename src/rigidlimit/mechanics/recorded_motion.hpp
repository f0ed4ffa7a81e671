// The equations of motion in natural quasi-velocities, from what was recorded of a system.
#pragma once

#include <memory>

#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/quasi_velocity_equations.hpp"

namespace rigidlimit {

/// Those of a system with quasi_velocities, without exact rows, whose force does not depend on t
/// and which has at most 16 velocities; nullptr of any other. Nothing is put together before it is
/// asked for.
std::shared_ptr<const QuasiVelocityEquations> quasi_velocity_equations(const System& system);

}  // namespace rigidlimit
