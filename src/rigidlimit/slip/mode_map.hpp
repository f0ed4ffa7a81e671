// In which modes a ball in a groove ends, over slope, angle of the groove and friction.
#pragma once

#include <optional>

#include "rigidlimit/slip/claim.hpp"
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

/// [[expect]] of a map: what is claimed of all its points, or of those that are named.
struct ModeMapExpectation {
  enum class Quantity {
    threshold,  ///< of rolling from rest: |measured − formula| ≤ within
    internal_force,  ///< λ_l under the couple: |compliant − formula|, |rigid − formula| ≤ within, N
    agreement,  ///< rigid and compliant motions end alike where the rigid laws leave one answer
    modes       ///< of the motions themselves
  };

  Quantity quantity = Quantity::threshold;
  double within = 0.0;
  /// Of a threshold: "rigid_slips_below", "rigid_rolls_from", "compliant"; empty: all three.
  std::vector<std::string> measured{};
  /// Where: one of the map's values; absent: at all of them.
  std::optional<std::string> start{};
  std::optional<double> slope{}, half_angle{}, friction{}, stiffness_ratio{};
  /// Of `modes`: how both motions end ("RR"), and the whole sequences ("SS > RR"); empty: any.
  std::string end{}, rigid{}, compliant{};
};

const char* name_of(ModeMapExpectation::Quantity quantity);  ///< "threshold", "internal_force", …

/// A map as its file says it.
struct ModeMap {
  std::string name;
  std::string question;
  std::string source;
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
  std::vector<ModeMapExpectation> expectations;
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
  bool interrupted = false;

  /// A motion took place.
  bool has_numbers() const;
  /// Every claim is true, and nothing was left out.
  bool held() const;
};

/// The claims of the map's file, looked up in the rows, thresholds and forces of the result; a
/// number that is missing (NaN) breaks the claim on it.
std::vector<Claim> judged_claims(const ModeMapResult& result);

/// options.jobs motions at a time; the result does not depend on their number. Throws InputError
/// for a map without slopes, angles, frictions or starts, or with a start that leaves the walls.
ModeMapResult run_mode_map(const ModeMap& map, const RunOptions& options = {});

}  // namespace rigidlimit
