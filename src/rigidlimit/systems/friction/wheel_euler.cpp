#include "rigidlimit/systems/friction/wheel_euler.hpp"

#include <cmath>

#include "rigidlimit/systems/closed_forms.hpp"
#include "rigidlimit/systems/dragged_motion.hpp"
#include "rigidlimit/systems/entry_of.hpp"
#include "rigidlimit/systems/friction/wheel.hpp"

namespace rigidlimit {

const SystemInfo& WheelEuler::info() {
  static const InitialState start = WheelEuler{}.start();
  static const SystemInfo info{
      .name = "wheel_euler",
      .title = "Wheel on an incline, rolling or slipping, in Euler parameters",
      .equations =
          "q = (x, y, p, q), v = q'; x down the slope, y off the plane, p = cos(theta/2),\n"
          "q = sin(theta/2) with theta the rotation from x to y\n"
          "K* = m/2 (x'^2 + y'^2) + 2 axial_ratio m r^2 (4 q^2 q'^2 + (q p' + p q')^2)\n"
          "P  = m g (cos(alpha) y - sin(alpha) x),   R = drag/2 x'^2\n"
          "E v = p p' + q q' = 0 exactly, p^2 + q^2 = 1\n"
          "gap y - r of the plane, which holds the wheel\n"
          "G v = x' + 2 r (p q' - q p'), the velocity of the lowest point, down the slope\n"
          "M is singular at q = 0 (theta a multiple of 2 pi), the KKT matrix is not",
      .source =
          "Souchet, Contact problems using quaternions in Lagrange equations; docs/theory.md, "
          "sections 8 and 10",
      .closed_form =
          "q, v and Lambda of rolling by exponentials, uniform acceleration without drag; without "
          "drag also slipping, then rolling or further slipping",
      .coordinates = {{"x", "m"}, {"y", "m"}, {"p", "1"}, {"q", "1"}},
      .velocities = {{"x'", "m/s"}, {"y'", "m/s"}, {"p'", "1/s"}, {"q'", "1/s"}},
      .contacts = {{"sliding down the slope", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

std::array<Parameter<WheelEuler>, 6> WheelEuler::parameters() {
  return {{{"mass", &WheelEuler::mass, "kg", "mass of the wheel", positive},
           {"radius", &WheelEuler::radius, "m", "radius of the wheel", positive},
           {"axial_ratio",
            &WheelEuler::axial_ratio,
            "1",
            "moment of inertia about the axle over m r^2 (0.5 disc, 1 hoop)",
            {.low = 0.0, .high = 1.0, .low_open = true}},
           {"slope",
            &WheelEuler::slope,
            "rad",
            "inclination of the plane",
            {.low = -M_PI_2, .high = M_PI_2}},
           {"gravity", &WheelEuler::gravity, "m/s^2", "gravitational acceleration", non_negative},
           {"drag", &WheelEuler::drag, "N s/m",
            "drag coefficient: force on the centre per speed, against the motion", non_negative}}};
}

std::array<Parameter<WheelEuler>, 1> WheelEuler::contact_parameters() {
  return {{{"friction", &WheelEuler::friction, "1", "coefficient of friction", non_negative}}};
}

double WheelEuler::downhill() const {
  return gravity * std::sin(slope);
}
double WheelEuler::pressing() const {
  return mass * gravity * std::cos(slope);
}

InitialState WheelEuler::start() const {
  return rolling_start(0.0, 0.4, 0.3);
}

InitialState WheelEuler::rolling_start(double x, double theta, double speed) const {
  const double p = std::cos(0.5 * theta), q = std::sin(0.5 * theta);
  const double half_rate = -0.5 * speed / radius;
  return {Eigen::Vector4d(x, radius, p, q),
          Eigen::Vector4d(speed, 0.0, -q * half_rate, p * half_rate)};
}

std::optional<Motion> WheelEuler::closed_form(const InitialState& start,
                                              const std::vector<double>& times) const {
  // (p, q) and (−p, −q) are the same rotation: θ/2 = atan2(q, p) keeps the sign of the start.
  const double half0 = std::atan2(start.q(3), start.q(2));
  const double inertia = (1.0 + axial_ratio) * mass;
  const DraggedMotion exact{.position0 = start.q(0),
                            .speed0 = start.v(0),
                            .acceleration0 = (mass * downhill() - drag * start.v(0)) / inertia,
                            .rate = drag / inertia};
  Motion motion = motion_on(times, nq, n, m);
  const Index count = motion.q.cols();
  for (Index k = 0; k < count; ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    const double x = exact.position(t), u = exact.speed(t);
    const double half = half0 - 0.5 * (x - start.q(0)) / radius;
    const double half_rate = -0.5 * u / radius;
    const double p = std::cos(half), q = std::sin(half);
    motion.q.col(k) << x, radius, p, q;
    motion.v.col(k) << u, 0.0, -q * half_rate, p * half_rate;
    motion.lambda(0, k) = axial_ratio * mass * exact.acceleration(t);
  }
  return motion;
}

std::vector<ContactPoint> WheelEuler::contacts() const {
  return {{.name = "ground",
           .first = 0,
           .components = 1,
           .normal = Normal::bilateral,
           .friction = friction,
           .restitution = 0.0}};
}

InitialState WheelEuler::sliding_start() const {
  return {Eigen::Vector4d(0.0, radius, std::cos(0.2), std::sin(0.2)),
          Eigen::Vector4d(1.0, 0.0, 0.0, 0.0)};
}

InitialState WheelEuler::in_angle(const InitialState& start) const {
  const double p = start.q(2), q = start.q(3);
  const double half_rate = p * start.v(3) - q * start.v(2);
  return {Eigen::Vector2d(start.q(0), -2.0 * std::atan2(q, p)),
          Eigen::Vector2d(start.v(0), -2.0 * half_rate)};
}

std::optional<KnownHistory> WheelEuler::closed_history(const InitialState& start,
                                                       const std::vector<double>& times) const {
  if (std::abs(start.q(1) - radius) > 1e-12 * radius || start.v(1) != 0.0) return std::nullopt;
  Wheel plain;
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

template SystemEntry entry_of<WheelEuler>();

}  // namespace rigidlimit
