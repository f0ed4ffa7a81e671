// A map of modes as tables, as a report and as files.
#pragma once

#include <string>

#include "rigidlimit/record/junit_document.hpp"
#include "rigidlimit/record/text_table.hpp"
#include "rigidlimit/slip/mode_map.hpp"

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

/// "NAME: held, 5 of 5 claims", and a line for each that is broken.
std::string mode_map_verdict_line(const ModeMapResult& result);

/// All tables with a headline, and the verdict.
std::string mode_map_report(const ModeMapResult& result, bool colour);
std::string mode_map_markdown(const ModeMapResult& result);
std::string mode_map_latex(const ModeMapResult& result);

/// Writes modes.toml (the resolved map), modes.txt, modes.md, modes.tex, modes.csv, thresholds.csv,
/// internal_forces.csv and modes.json to directory/NAME, creating it; returns that path. Throws
/// InputError where that fails.
std::string write_mode_map(const ModeMapResult& result, const std::string& directory);

/// A test case for each claim.
JunitSuite junit_suite(const ModeMapResult& result);

}  // namespace rigidlimit
