// The expansion of the compliant motion of a study.
#pragma once

#include "rigidlimit/asymptotics/expansion.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"

namespace rigidlimit {

/// Throws InputError, with the reason, if no expansion exists: the study lacks the viscoelastic
/// law, or its start slides.
void require_expandable(const RollingStudy& study);

/// The expansion (asymptotics/expansion_of.hpp) from `start`, the rigid_start() of the study, up to
/// the first switch of its equations. Throws InputError, with the reason, if it is invalid.
Expansion viscoelastic_expansion(const RollingStudy& study, const InitialState& start);

}  // namespace rigidlimit
