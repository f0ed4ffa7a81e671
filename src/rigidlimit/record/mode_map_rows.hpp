// A map of modes as rows of CSV and as tables. Numbers of CSV have 17 digits.
#pragma once

#include <string>

#include "rigidlimit/record/text_table.hpp"
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

/// The last modes from one start, `which` of the map: rows slope and half angle, columns μ. "RR/SS"
/// where the rigid motion ends in RR and the compliant one in SS.
TextTable mode_map_table(const ModeMapResult& result, std::size_t which);

/// Thresholds by formula, and how far the three measured ones are from it.
TextTable rolling_threshold_table(const ModeMapResult& result);

/// Writes modes.csv, thresholds.csv, internal_forces.csv and modes.txt to directory/NAME, creating
/// it; returns that path.
std::string write_mode_map(const ModeMapResult& result, const std::string& directory);

/// All tables with a headline.
std::string mode_map_report(const ModeMapResult& result, bool colour);

}  // namespace rigidlimit
