// The time stepping of Moreau and Jean as a check of a rigid motion: it shares nothing with the
// event-driven one but the system.
#pragma once

#include <functional>

#include "rigidlimit/slip/slip_result.hpp"

namespace rigidlimit {

/// One solve for each of the study's steps, compared with `rigid` on its samples, which are equal
/// intervals; a step is made a whole part of them. Orders between neighbours.
std::vector<StepCheck> step_checks(const SlipStudy& study, const Motion& rigid,
                                   const SlipEvents& events,
                                   const std::function<bool()>& stop_requested);

}  // namespace rigidlimit
