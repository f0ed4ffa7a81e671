#include "rigidlimit/experiment/friction/rolling_threshold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "rigidlimit/contact/contact_terms.hpp"

namespace rigidlimit {

namespace {

TwoPointBall with_friction(TwoPointBall ball, double friction) {
  ball.friction_left = ball.friction_right = friction;
  ball.couple = ball.couple_rate = 0.0;
  return ball;
}

/// Whether a motion from rest exists with both contacts in this mode.
bool obeys_the_laws(const TwoPointBall& ball, ContactMode mode) {
  const FrictionalSystem system = groove_system(ball);
  const InitialState start = ball.start();
  const ContactTerms terms = contact_terms(system, start.q, start.v, 0.0);
  const auto solutions = solve_contact_problem(
      contact_problem_of(system, terms, terms.free, terms.normal_force, {{0, {}}, {1, {}}}));
  return std::ranges::any_of(solutions, [&](const ContactSolution& s) {
    return s.modes == std::vector<ContactMode>{mode, mode};
  });
}

/// The μ where `above` becomes true, between low (false) and high (true).
double bisect(double low, double high, const std::function<bool(double)>& above) {
  while (high - low > 1e-9 * high) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (above(middle) ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

RollingThreshold rolling_threshold(const TwoPointBall& ball, const GrooveCompliance& how,
                                   double end) {
  RollingThreshold found{.slope = ball.slope,
                         .half_angle = ball.half_angle,
                         .unloaded = unloaded_threshold(ball),
                         .wedged = wedged_threshold(ball),
                         .epsilon = how.epsilon,
                         .complaint = ""};
  // Wide brackets that use only the order of magnitude of the formulas.
  const double low = 0.5 * found.wedged, high = 2.0 * found.unloaded;
  found.rigid_slips_below = bisect(low, high, [&](double mu) {
    return !obeys_the_laws(with_friction(ball, mu), ContactMode::slip);
  });
  found.rigid_rolls_from = bisect(low, high, [&](double mu) {
    return obeys_the_laws(with_friction(ball, mu), ContactMode::stick);
  });
  found.compliant = bisect(low, high, [&](double mu) {
    const TwoPointBall tried = with_friction(ball, mu);
    const GrooveMotion motion =
        compliant_groove_motion(tried, VectorXd::Zero(TwoPointBall::n), how, {0.0, 0.5 * end, end});
    if (motion.outcome != Outcome::success) {
      found.complaint =
          fmt::format("friction = {}: {}, {}", mu, name_of(motion.outcome), motion.message);
      return true;
    }
    const FrictionalSystem system = groove_system(tried);
    const auto speed = [&](Index k) {
      return sliding_speeds(system, motion.motion.q.col(k), motion.motion.v.col(k)).maxCoeff();
    };
    return speed(2) < std::max(speed(1), how.rtol);  // rolling, both are round-off
  });
  if (!found.complaint.empty()) found.compliant = std::numeric_limits<double>::quiet_NaN();
  return found;
}

}  // namespace rigidlimit
