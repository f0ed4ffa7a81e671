// Energy balance of a rigid motion.
#pragma once

#include "rigidlimit/experiment/friction/friction_result.hpp"

namespace rigidlimit {

/// Evaluated at the samples of the motion and on both sides of every event, with its
/// EnergyAccounts.
EnergyHistory energy_of(const FrictionStudy& study, const NonsmoothMotion& motion);

}  // namespace rigidlimit
