// Times at which motions with events are compared.
#pragma once

#include <vector>

#include "rigidlimit/experiment/friction/friction_study.hpp"

namespace rigidlimit {

/// Uniform samples on [0, end], plus the times t_e ± s around the start and every event t_e, s
/// logarithmic from Windows::neighbour_distance to layer_width ε: both sides of a jump, and the
/// layers of the compliant motion. The edges t_e ± time.margin of the window `away` are samples;
/// no sample is at an event. Sorted, strictly increasing.
std::vector<double> friction_grid(const FrictionTime& time, double end, double epsilon,
                                  const std::vector<double>& event_times);

}  // namespace rigidlimit
