// Map of the final modes of a ball in a groove over slope, angle of the groove and friction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/friction/groove_ball.hpp"

namespace rigidlimit {

/// The start of a motion.
struct ModeMapStart {
  std::string name;          ///< "rest", "slip"
  VectorXd v;                ///< (q', ω), 6; y' = z' = 0, which the walls enforce
  double couple = 0.0;       ///< τ0, N m
  double couple_rate = 0.0;  ///< τ1, N m/s
};

/// [[expect]] of a mode map: a claim about all its points, or about the named ones.
struct ModeMapExpectation {
  enum class Quantity {
    threshold,  ///< of rolling from rest: |measured − formula| ≤ within
    internal_force,  ///< λ_l under the couple: |compliant − formula|, |rigid − formula| ≤ within, N
    agreement,  ///< rigid and compliant motions end in the same modes if the rigid solution is
                ///< unique
    modes       ///< of the motions themselves
  };

  Quantity quantity = Quantity::threshold;
  double within = 0.0;
  /// Of a threshold: "rigid_slips_below", "rigid_rolls_from", "compliant"; empty: all three.
  std::vector<std::string> measured{};
  /// Restriction to one of the map's values; empty: all values.
  std::optional<std::string> start{};
  std::optional<double> slope{}, half_angle{}, friction{}, stiffness_ratio{};
  /// For `modes`: final modes of both motions ("RR"), and whole sequences ("SS > RR"); empty: any.
  std::string end{}, rigid{}, compliant{};
};

const char* name_of(ModeMapExpectation::Quantity quantity);  ///< "threshold", "internal_force", …

/// A mode map with all defaults filled in.
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
  int samples = 41;                      ///< times at which the modes are determined
  double slow = 1e-3;                    ///< m/s: a slower contact rolls
  std::vector<ModeMapExpectation> expectations;
};

}  // namespace rigidlimit
