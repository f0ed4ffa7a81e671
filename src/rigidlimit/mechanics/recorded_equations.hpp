// Recorded tapes as the equations that formulations read.
#pragma once

#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// The tapes evaluated in all numbers that have a place in System::equations.
decltype(System::equations) equations_of(const RecordedSystem& recorded);

/// And what formulations make of them (mechanics/motion_tapes.hpp).
std::shared_ptr<const MotionTapes> motion_tapes_of(
    const std::shared_ptr<const RecordedSystem>& recorded);

}  // namespace rigidlimit
