// A map of modes as tables.
#pragma once

#include <cstddef>

#include "rigidlimit/experiment/friction/run_mode_map.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// The last modes from one start, `which` of the map: rows slope and half angle, columns μ. "RR/SS"
/// where the rigid motion ends in RR and the compliant one in SS.
TextTable mode_map_table(const ModeMapResult& result, std::size_t which);

/// Thresholds by formula, and how far the three measured ones are from it.
TextTable rolling_threshold_table(const ModeMapResult& result);

/// The friction across the left wall for each ratio of stiffnesses, by formula and measured.
TextTable internal_force_table(const ModeMapResult& result);

/// What the file claims, and what was found.
TextTable mode_map_claim_table(const ModeMapResult& result);

}  // namespace rigidlimit
