#include "rigidlimit/systems/wheel_euler.hpp"

#include <cmath>

#include "rigidlimit/systems/dragged_motion.hpp"
#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& WheelEuler::info() {
  static const InitialState start = WheelEuler{}.start();
  static const SystemInfo info{
      .name = "wheel_euler",
      .title = "Wheel that rolls down an incline, in Euler parameters",
      .equations =
          "q = (x, y, p, q), v = q'; x down the slope, y off the plane, p = cos(theta/2),\n"
          "q = sin(theta/2) with theta the rotation from x to y\n"
          "K* = m/2 (x'^2 + y'^2) + 2 axial_ratio m r^2 (4 q^2 q'^2 + (q p' + p q')^2)\n"
          "P  = m g (cos(alpha) y - sin(alpha) x),   R = drag/2 x'^2\n"
          "E v = (p p' + q q', y') = 0 exactly;   p^2 + q^2 = 1 and y = r\n"
          "G v = x' + 2 r (p q' - q p'), the velocity of the lowest point, down the slope\n"
          "M is singular at q = 0 (theta a multiple of 2 pi), the KKT matrix is not",
      .source =
          "Souchet, Contact problems using quaternions in Lagrange equations; docs/theory.md, "
          "section 8",
      .closed_form = "q, v and Lambda by exponentials; uniform acceleration without drag",
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
           {"drag", &WheelEuler::drag, "N s/m", "force on the centre per speed, against the motion",
            non_negative}}};
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
  // (p, q) and (−p, −q) are the same rotation: θ/2 = atan2(q, p) keeps the start's own sign.
  const double half0 = std::atan2(start.q(3), start.q(2));
  const double inertia = (1.0 + axial_ratio) * mass;
  const DraggedMotion exact{.position0 = start.q(0),
                            .speed0 = start.v(0),
                            .acceleration0 = (mass * downhill() - drag * start.v(0)) / inertia,
                            .rate = drag / inertia};
  Motion motion{.times = times, .q = {}, .v = {}, .lambda = {}};
  const Index count = static_cast<Index>(times.size());
  motion.q.resize(nq, count);
  motion.v.resize(n, count);
  motion.lambda.resize(m, count);
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

template SystemEntry entry_of<WheelEuler>();

}  // namespace rigidlimit
