// From which coefficient of friction on a ball in a groove rolls on both walls, found three ways.
#pragma once

#include "rigidlimit/experiment/friction/groove_ball.hpp"

namespace rigidlimit {

/// At one slope and one half angle, from rest, equal friction on both walls. Bisections to 1e-9 of
/// it.
struct RollingThreshold {
  double slope = 0.0;       ///< α, rad
  double half_angle = 0.0;  ///< γ, rad
  double unloaded = 0.0;    ///< μ0 by formula
  double wedged = 0.0;      ///< μ1 by formula
  /// By the rigid contact problem: slipping on both walls obeys the laws below this μ …
  double rigid_slips_below = 0.0;
  double rigid_rolls_from = 0.0;  ///< … and rolling on both from this one on.
  /// By the compliant motion from unloaded springs: below, its sliding grows from T/2 to T.
  double compliant = 0.0;
  double epsilon = 0.0;   ///< of it
  std::string complaint;  ///< why a number is NaN
};

/// Friction and couple of `ball` are not looked at; T = `end` s.
RollingThreshold rolling_threshold(const TwoPointBall& ball, const GrooveCompliance& how,
                                   double end = 1.0);

}  // namespace rigidlimit
