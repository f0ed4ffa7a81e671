// ModeMap -> ModeMapResult.
#pragma once

#include "rigidlimit/experiment/friction/internal_force.hpp"
#include "rigidlimit/experiment/friction/mode_map.hpp"
#include "rigidlimit/experiment/friction/mode_solves.hpp"
#include "rigidlimit/experiment/friction/rolling_threshold.hpp"
#include "rigidlimit/experiment/judge/claim.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"

namespace rigidlimit {

/// One point of the map.
struct ModeMapRow {
  double slope = 0.0, half_angle = 0.0, friction_left = 0.0, friction_right = 0.0;
  std::string start;
  double unloaded = 0.0,
         wedged = 0.0;  ///< thresholds by formula, for equal friction without couple
  Outcome rigid_outcome = Outcome::not_run, compliant_outcome = Outcome::not_run;
  std::string rigid, compliant;  ///< sequences of modes, "SS > RR"
  std::string rigid_events;      ///< with their times
  std::size_t rigid_notes = 0;   ///< > 0: the rigid laws have several solutions at some instant
  double first_rim = 0.0;        ///< s, when a spring first reaches the rim; NaN: never
  std::string message;           ///< of a failed solve

  std::string rigid_final() const;  ///< "RR"; empty without a motion
  std::string compliant_final() const;
  bool agree() const { return !rigid.empty() && rigid_final() == compliant_final(); }
  /// Whether the rigid laws have several solutions: between the two thresholds, or according to the
  /// notes of the rigid motion.
  bool is_open() const;
};

struct ModeMapResult {
  ModeMap map;
  std::vector<ModeMapRow> rows;  ///< starts outside, then slopes, half angles, frictions
  std::vector<RollingThreshold> thresholds;  ///< slopes outside, half angles inside
  std::vector<InternalForce> forces;         ///< at the first slope and half angle
  std::vector<Claim> claims;                 ///< every motion has ended by itself; expectations
  SolveCounts counts;
  bool interrupted = false;  ///< some results are missing

  /// Whether some motion was computed.
  bool has_numbers() const;
  /// Whether every claim holds and all points were computed.
  bool held() const;
};

/// Judges the claims of the map's file from the rows, thresholds and forces of the result. A
/// missing number (NaN) fails the claims about it.
std::vector<Claim> judged_claims(const ModeMapResult& result);

/// The solves of a mode map in one stage, and their judgement.
class ModeMapPlan final : public SolvePlan {
 public:
  /// Refers to `map`. Throws InputError for a map without slopes, angles, frictions or starts, and
  /// for a start that leaves the walls.
  explicit ModeMapPlan(const ModeMap& map);

  SolveStage next_stage() override { return solves_.all(); }
  double steepest() const override { return 1.0; }
  ModeMapResult judged(const SolveCounts& counts) const;

 private:
  const ModeMap& map_;
  ModeSolves solves_;
};

ModeMapPlan plan_for(const ModeMap& map, const RunOptions& options);

/// result_of(map, options).
ModeMapResult run_mode_map(const ModeMap& map, const RunOptions& options = {});

}  // namespace rigidlimit
