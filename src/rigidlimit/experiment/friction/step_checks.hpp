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

/// The first motion of these that failed, with its outcome. Empty: all reached the last sample.
std::string failed_step(const std::vector<StepCheck>& steps);

/// Why these motions disagree with the rigid one in q beyond the order 1 of the method. Empty: they
/// agree. The event times of the method are off by up to h, anywhere in that range, so that the
/// error of one step size scatters, but it is bounded by C h. At the smallest step the distance
/// must
///
/// * be at most a tenth of the motion, the largest range of a component of q, and
/// * be at most h max |v| for each event and one more, as if each was late by h; or else have
/// fallen
///   at least like √h from the largest step, if later events amplify the errors of earlier ones.
std::string step_disagreement(const std::vector<StepCheck>& steps, const NonsmoothMotion& rigid);

}  // namespace rigidlimit
