#include "rigidlimit/experiment/friction/internal_force.hpp"

#include <algorithm>
#include <cmath>

namespace rigidlimit {

namespace {

/// The largest |λ|/p of both contacts during rolling; a is the friction along each wall.
double largest_ratio(const TwoPointBall& ball, double left, double right) {
  const double c = std::cos(ball.half_angle), s = std::sin(ball.half_angle);
  const double weight = ball.mass * ball.gravity;
  const double along =
      0.5 * weight * std::sin(ball.slope) * (1.0 - 1.0 / (1.0 + ball.inertia_ratio / (c * c)));
  const double sum = (weight * std::cos(ball.slope) + (left - right) * s) / c;
  const double difference = (left + right) * c / s;
  return std::max(std::hypot(along, left) / (0.5 * (sum - difference)),
                  std::hypot(along, right) / (0.5 * (sum + difference)));
}

}  // namespace

InternalForce internal_force(const TwoPointBall& ball, const GrooveCompliance& how, double end) {
  const std::vector<double> times{0.0, end};
  const VectorXd at_rest = VectorXd::Zero(TwoPointBall::n);
  return internal_force_of(ball, how, end, compliant_groove_motion(ball, at_rest, how, times),
                           rigid_groove_motion(ball, at_rest, how, times));
}

InternalForce internal_force_of(const TwoPointBall& ball, const GrooveCompliance& how, double end,
                                const GrooveMotion& compliant, const GrooveMotion& rigid) {
  const double shared = (ball.couple + ball.couple_rate * end) / ball.radius;
  const double left = shared * how.stiffness_left / (how.stiffness_left + how.stiffness_right);
  const auto& lambda = compliant.motion.lambda;
  return {.stiffness_ratio = how.stiffness_left / how.stiffness_right,
          .epsilon = how.epsilon,
          .outcome = compliant.outcome,
          .message = compliant.message,
          .predicted = left,
          .compliant = lambda(1, 1),
          .rigid = rigid.motion.lambda(1, 1),
          .normal_left = lambda(4, 1),
          .normal_right = lambda(5, 1),
          .rim_predicted = largest_ratio(ball, left, shared - left)};
}

}  // namespace rigidlimit
