// The smallest friction coefficient with which a ball in a groove rolls on both walls, in three
// ways.
#pragma once

#include "rigidlimit/experiment/friction/groove_ball.hpp"

namespace rigidlimit {

/// At one slope and one half angle, from rest, with equal friction on both walls. Found by
/// bisection to a relative width of 1e-9.
struct RollingThreshold {
  double slope = 0.0;       ///< α, rad
  double half_angle = 0.0;  ///< γ, rad
  double unloaded = 0.0;    ///< μ0 by formula
  double wedged = 0.0;      ///< μ1 by formula
  /// Rigid contact problem: slipping on both walls is a solution below this μ …
  double rigid_slips_below = 0.0;
  double rigid_rolls_from = 0.0;  ///< … and rolling on both walls from this one on.
  /// Compliant motion from unloaded springs: below this μ its sliding grows from T/2 to T.
  double compliant = 0.0;
  double epsilon = 0.0;   ///< of the compliant motion
  std::string complaint;  ///< why a number is NaN
};

/// Ignores friction and couple of `ball`; T = `end` s.
RollingThreshold rolling_threshold(const TwoPointBall& ball, const GrooveCompliance& how,
                                   double end = 1.0);

}  // namespace rigidlimit
