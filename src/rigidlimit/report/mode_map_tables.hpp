// A mode map's result as tables.
#pragma once

#include <cstddef>

#include "rigidlimit/experiment/friction/run_mode_map.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// The final modes from one start, `which` of the map: slope and half angle in rows, μ in columns.
/// "RR/SS": the rigid motion ends in RR and the compliant one in SS.
TextTable mode_map_table(const ModeMapResult& result, std::size_t which);

/// Thresholds by formula, and the distances of the three measured ones.
TextTable rolling_threshold_table(const ModeMapResult& result);

/// Friction across the left wall for each ratio of stiffnesses, by formula and measured.
TextTable internal_force_table(const ModeMapResult& result);

/// The claims of the file and their results.
TextTable mode_map_claim_table(const ModeMapResult& result);

}  // namespace rigidlimit
