#include "rigidlimit/systems/slipping_wheel_euler.hpp"

#include <cmath>

#include "rigidlimit/systems/extended_parameters.hpp"
#include "rigidlimit/systems/frictional_entry_of.hpp"
#include "rigidlimit/systems/slipping_wheel.hpp"

namespace rigidlimit {

SlippingWheelEuler::SlippingWheelEuler() {
  mass = 1.0;
  radius = 0.1;
  axial_ratio = 0.5;
  slope = 0.3;
  drag = 0.0;
}

const SystemInfo& SlippingWheelEuler::info() {
  static const InitialState start = SlippingWheelEuler{}.start();
  static const SystemInfo info{
      .name = "slipping_wheel_euler",
      .title = "Wheel on a rough incline, in Euler parameters",
      .equations =
          "q = (x, y, p, q), v = q'; x down the slope, y off the plane, p = cos(theta/2),\n"
          "q = sin(theta/2) with theta the rotation from x to y\n"
          "K* = m/2 (x'^2 + y'^2) + 2 axial_ratio m r^2 (4 q^2 q'^2 + (q p' + p q')^2)\n"
          "P  = m g (cos(alpha) y - sin(alpha) x),   R = drag/2 x'^2\n"
          "E v = p p' + q q' = 0 exactly,   gap y - r of the plane, which holds the wheel\n"
          "W v = x' + 2 r (p q' - q p'), the velocity of the lowest point, down the slope\n"
          "M is singular at q = 0 (theta a multiple of 2 pi)",
      .source =
          "Souchet, Contact problems using quaternions in Lagrange equations; docs/theory.md, "
          "sections 8 and 10",
      .closed_form = "slipping, then rolling or slipping on; none with drag",
      .coordinates = {{"x", "m"}, {"y", "m"}, {"p", "1"}, {"q", "1"}},
      .velocities = {{"x'", "m/s"}, {"y'", "m/s"}, {"p'", "1/s"}, {"q'", "1/s"}},
      .contacts = {{"sliding down the slope", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

std::array<Parameter<SlippingWheelEuler>, 7> SlippingWheelEuler::parameters() {
  return extended<SlippingWheelEuler>(
      WheelEuler::parameters(),
      {{"friction", &SlippingWheelEuler::friction, "1", "coefficient of friction", non_negative}});
}

std::vector<ContactPoint> SlippingWheelEuler::contacts() const {
  return {{.name = "ground",
           .first = 0,
           .components = 1,
           .normal = Normal::bilateral,
           .friction = friction,
           .restitution = 0.0}};
}

InitialState SlippingWheelEuler::start() const {
  return {Eigen::Vector4d(0.0, radius, std::cos(0.2), std::sin(0.2)),
          Eigen::Vector4d(1.0, 0.0, 0.0, 0.0)};
}

InitialState SlippingWheelEuler::in_angle(const InitialState& start) const {
  const double p = start.q(2), q = start.q(3);
  const double half_rate = p * start.v(3) - q * start.v(2);
  return {Eigen::Vector2d(start.q(0), -2.0 * std::atan2(q, p)),
          Eigen::Vector2d(start.v(0), -2.0 * half_rate)};
}

std::optional<KnownHistory> SlippingWheelEuler::closed_history(
    const InitialState& start, const std::vector<double>& times) const {
  if (std::abs(start.q(1) - radius) > 1e-12 * radius || start.v(1) != 0.0) return std::nullopt;
  SlippingWheel plain;
  plain.mass = mass;
  plain.radius = radius;
  plain.axial_ratio = axial_ratio;
  plain.slope = slope;
  plain.gravity = gravity;
  plain.drag = drag;
  plain.friction = friction;
  std::optional<KnownHistory> history = plain.closed_history(in_angle(start), times);
  if (!history) return std::nullopt;

  const Motion in_phi = history->motion;
  Motion& motion = history->motion;
  const Index count = static_cast<Index>(times.size());
  motion.q.resize(nq, count);
  motion.v.resize(n, count);
  for (Index k = 0; k < count; ++k) {
    const double half = -0.5 * in_phi.q(1, k), half_rate = -0.5 * in_phi.v(1, k);
    const double p = std::cos(half), q = std::sin(half);
    motion.q.col(k) << in_phi.q(0, k), radius, p, q;
    motion.v.col(k) << in_phi.v(0, k), 0.0, -q * half_rate, p * half_rate;
  }
  return history;
}

template FrictionalEntry frictional_entry_of<SlippingWheelEuler>();

}  // namespace rigidlimit
