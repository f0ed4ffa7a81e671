// Moreau and Jean's time stepping as an independent check of the event-driven rigid motion.
#pragma once

#include "rigidlimit/experiment/friction/friction_result.hpp"

namespace rigidlimit {

/// The largest step size, at most `wanted`, that divides the interval between samples (all equal),
/// s.
double whole_step(double wanted, const std::vector<double>& samples);

/// For each step size of the study, one motion compared with `rigid` at its samples, with the
/// orders between neighbours.
std::vector<StepCheck> step_checks(const FrictionStudy& study, const Motion& rigid,
                                   const Windows& windows,
                                   const std::vector<NonsmoothMotion>& stepped);

}  // namespace rigidlimit
