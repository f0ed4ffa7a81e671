// Recorded tapes as the equations read by formulations.
#pragma once

#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// The tapes evaluated in all types of number in System::equations.
decltype(System::equations) equations_of(const RecordedSystem& recorded);

/// The tapes derived for formulations (mechanics/motion_tapes.hpp).
std::shared_ptr<const MotionTapes> motion_tapes_of(
    const std::shared_ptr<const RecordedSystem>& recorded);

}  // namespace rigidlimit
