// ModeMap -> ModeMapResult.
#pragma once

#include "rigidlimit/experiment/friction/internal_force.hpp"
#include "rigidlimit/experiment/friction/mode_map.hpp"
#include "rigidlimit/experiment/friction/rolling_threshold.hpp"
#include "rigidlimit/experiment/judge/claim.hpp"
#include "rigidlimit/experiment/plan/plan_summary.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/solve_counts.hpp"

namespace rigidlimit {

/// One motion.
struct ModeMapRow {
  double slope = 0.0, half_angle = 0.0, friction_left = 0.0, friction_right = 0.0;
  std::string start;
  double unloaded = 0.0,
         wedged = 0.0;  ///< thresholds by formula, of equal friction, without couple
  Outcome rigid_outcome = Outcome::not_run, compliant_outcome = Outcome::not_run;
  std::string rigid, compliant;  ///< sequences of modes, "SS > RR"
  std::string rigid_events;      ///< with their times
  std::size_t rigid_notes = 0;   ///< > 0: somewhere several motions obey the rigid laws
  double first_rim = 0.0;        ///< s, when a spring first reaches the rim; NaN: never
  std::string message;           ///< of what failed

  std::string rigid_final() const;  ///< "RR"; empty where there is none
  std::string compliant_final() const;
  bool agree() const { return !rigid.empty() && rigid_final() == compliant_final(); }
  /// The rigid laws leave more than one answer: between the two thresholds, or where the rigid
  /// motion notes several solutions.
  bool is_open() const;
};

struct ModeMapResult {
  ModeMap map;
  std::vector<ModeMapRow> rows;  ///< starts outside, then slopes, half angles, frictions
  std::vector<RollingThreshold> thresholds;  ///< slopes outside, half angles inside
  std::vector<InternalForce> forces;         ///< at the first slope and half angle
  std::vector<Claim> claims;                 ///< that every motion took place, and expectations
  SolveCounts counts;
  bool interrupted = false;  ///< something is missing

  /// A motion took place.
  bool has_numbers() const;
  /// Every claim is true, and nothing was left out.
  bool held() const;
};

/// The claims of the map's file, looked up in the rows, thresholds and forces of the result; a
/// number that is missing (NaN) breaks the claim on it.
std::vector<Claim> judged_claims(const ModeMapResult& result);

/// Solves what options.archive has not, options.jobs at a time, and judges it; the result depends
/// on neither. Throws InputError for a map without slopes, angles, frictions or starts, or with a
/// start that leaves the walls.
ModeMapResult run_mode_map(const ModeMap& map, const RunOptions& options = {});

/// Solves the shard of the map that the options name into their archive; nothing is judged.
SolveCounts solve_shard(const ModeMap& map, const RunOptions& options);

/// What of the map options.archive has, without solving.
PlanSummary plan_of(const ModeMap& map, const RunOptions& options);

}  // namespace rigidlimit
