// A map of modes as rows of CSV, and as JSON. Numbers have 17 digits.
#pragma once

#include <string>

#include "rigidlimit/slip/mode_map.hpp"

namespace rigidlimit {

/// study,start,slope,half_angle,friction_left,friction_right,unloaded_threshold,wedged_threshold,
/// rigid_outcome,rigid,rigid_notes,compliant_outcome,compliant,first_rim,agree,rigid_events.
std::string mode_map_csv(const ModeMapResult& result);

/// study,slope,half_angle,unloaded,wedged,rigid_slips_below,rigid_rolls_from,compliant,epsilon,
/// complaint.
std::string rolling_threshold_csv(const ModeMapResult& result);

/// study,stiffness_ratio,epsilon,outcome,predicted,compliant,rigid,normal_left,normal_right,
/// rim_predicted.
std::string internal_force_csv(const ModeMapResult& result);

/// Everything but the motions, with where it comes from.
std::string mode_map_json(const ModeMapResult& result);

}  // namespace rigidlimit
