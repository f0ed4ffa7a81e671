// The time stepping of Moreau and Jean as a check of a rigid motion: it shares nothing with the
// event-driven one but the system.
#pragma once

#include "rigidlimit/experiment/friction/friction_result.hpp"

namespace rigidlimit {

/// The step of a solve: the largest at most `wanted` of which an interval between the samples,
/// which are equal, is a multiple; s.
double whole_step(double wanted, const std::vector<double>& samples);

/// One motion for each of the study's steps compared with `rigid` on its samples. Orders between
/// neighbours.
std::vector<StepCheck> step_checks(const FrictionStudy& study, const Motion& rigid,
                                   const Windows& windows,
                                   const std::vector<NonsmoothMotion>& stepped);

}  // namespace rigidlimit
