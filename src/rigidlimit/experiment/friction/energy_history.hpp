// Where the energy of a rigid motion goes.
#pragma once

#include "rigidlimit/experiment/friction/friction_result.hpp"

namespace rigidlimit {

/// On the samples of the motion and on both sides of every event, with the motion's EnergyAccounts.
EnergyHistory energy_of(const FrictionStudy& study, const NonsmoothMotion& motion);

}  // namespace rigidlimit
