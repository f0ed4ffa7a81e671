// In which modes a ball in a groove ends, over slope, angle of the groove and friction.
#pragma once

#include "rigidlimit/slip/internal_force.hpp"
#include "rigidlimit/slip/rolling_threshold.hpp"
#include "rigidlimit/study/run_study.hpp"

namespace rigidlimit {

/// How a motion begins.
struct ModeMapStart {
  std::string name;          ///< "rest", "slip"
  VectorXd v;                ///< (q', ω), 6; y' = z' = 0, which the walls hold
  double couple = 0.0;       ///< τ0, N m
  double couple_rate = 0.0;  ///< τ1, N m/s
};

/// A map as its file says it.
struct ModeMap {
  std::string name;
  std::string question;
  TwoPointBall ball;                ///< mass, radius, inertia ratio, gravity
  std::vector<double> slopes;       ///< α, rad
  std::vector<double> half_angles;  ///< γ, rad
  std::vector<double> frictions;    ///< μ of the left wall
  double friction_ratio = 1.0;      ///< μ right over left
  std::vector<ModeMapStart> starts;
  GrooveCompliance compliance;
  std::vector<double> stiffness_ratios;  ///< C_left/C_right, for the internal forces
  double internal_couple = 0.0;          ///< τ0 of those, N m
  double end = 1.0;                      ///< T, s
  int samples = 41;                      ///< at which modes are looked at
  double slow = 1e-3;                    ///< m/s: what slides more slowly rolls
};

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
};

struct ModeMapResult {
  ModeMap map;
  std::vector<ModeMapRow> rows;  ///< starts outside, then slopes, half angles, frictions
  std::vector<RollingThreshold> thresholds;  ///< slopes outside, half angles inside
  std::vector<InternalForce> forces;         ///< at the first slope and half angle
  bool interrupted = false;

  /// A motion took place.
  bool has_numbers() const;
  /// Every motion took place, every threshold is within 1e-6 of its formula and every λ_l within
  /// 1e-6 N, and rigid and compliant motions end alike wherever the laws leave nothing open: not
  /// between the two thresholds, nor where the rigid motion notes several answers.
  bool held() const;
};

/// options.jobs motions at a time; the result does not depend on their number. Throws InputError
/// for a map without slopes, angles, frictions or starts, or with a start that leaves the walls.
ModeMapResult run_mode_map(const ModeMap& map, const RunOptions& options = {});

}  // namespace rigidlimit
