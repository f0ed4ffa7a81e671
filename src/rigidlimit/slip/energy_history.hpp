// Where the energy of a rigid motion goes.
#pragma once

#include "rigidlimit/slip/slip_result.hpp"

namespace rigidlimit {

/// On the samples of the motion and on both sides of every event; the work of forces without
/// potential by the trapezoidal rule.
EnergyHistory energy_of(const SlipStudy& study, const NonsmoothMotion& motion);

}  // namespace rigidlimit
