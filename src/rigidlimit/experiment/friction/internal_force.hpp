// The internal force of a ball in a groove that its springs select.
#pragma once

#include "rigidlimit/experiment/friction/groove_ball.hpp"

namespace rigidlimit {

/// The ball rolls on both walls under the couple τ about the groove, which needs the friction
/// λ_l + λ_r = τ/r across the walls. Their difference is the internal force. Springs that have
/// never slipped share the sum in the ratio of their stiffnesses, λ_l = (τ/r) C_l/(C_l + C_r): the
/// minimum of λᵀ C⁻¹ λ (docs/theory.md, section 6). The normal forces follow,
///
///   p_l + p_r = (m g cos α + (λ_l − λ_r) sin γ)/cos γ,   p_r − p_l = (τ/r) cos γ/sin γ
struct InternalForce {
  double stiffness_ratio = 0.0;  ///< C_l/C_r
  double epsilon = 0.0;
  Outcome outcome = Outcome::not_run;  ///< of the compliant motion
  std::string message;
  double predicted = 0.0;    ///< λ_l by formula, N
  double compliant = 0.0;    ///< λ_l at the end of the compliant motion
  double rigid = 0.0;        ///< λ_l of the rigid motion, whose contact problem uses C⁻¹
  double normal_left = 0.0;  ///< p_l and p_r of the compliant motion, N
  double normal_right = 0.0;
  double rim_predicted = 0.0;  ///< μ at which the first contact is about to slip: largest |λ|/p
};

/// Compares motions from rest under the couple of `ball` at their last sample, `end` s.
InternalForce internal_force_of(const TwoPointBall& ball, const GrooveCompliance& how, double end,
                                const GrooveMotion& compliant, const GrooveMotion& rigid);

/// Solves these motions to `end` s and compares them there, with the couple at that time.
InternalForce internal_force(const TwoPointBall& ball, const GrooveCompliance& how,
                             double end = 1.0);

}  // namespace rigidlimit
