// Recorded tapes as the equations that formulations read.
#pragma once

#include "rigidlimit/mechanics/frictional_system.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// The tapes evaluated in all numbers that have a place in System::equations.
decltype(System::equations) equations_of(const RecordedSystem& recorded);
/// Likewise the contacts.
decltype(FrictionalSystem::geometry) geometry_of(const RecordedSystem& recorded);

/// And the motion in adapted velocities (mechanics/adapted_tapes.hpp).
std::shared_ptr<const AdaptedLibrary> adapted_library_of(
    std::shared_ptr<const RecordedSystem> recorded);

}  // namespace rigidlimit
