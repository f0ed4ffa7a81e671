#include "rigidlimit/systems/wheel.hpp"

#include <cmath>

#include "rigidlimit/systems/dragged_motion.hpp"
#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& Wheel::info() {
  static const InitialState start = Wheel{}.start();
  static const SystemInfo info{
      .name = "wheel",
      .title = "Wheel that rolls down an incline, in its way and its angle",
      .equations =
          "q = (x, phi), v = q'; x points down the slope, phi turns as the wheel rolls down\n"
          "M = diag(m, J), J = axial_ratio m r^2\n"
          "F = (m g sin(alpha) - drag x', 0)\n"
          "G = (1, -r); G v is the velocity of the lowest point, down the slope\n"
          "rolling: (1 + axial_ratio) m x'' = m g sin(alpha) - drag x'",
      .source =
          "Souchet (wheel in Euler parameters; here the cross-check); docs/theory.md, section 8",
      .closed_form = "q, v and Lambda by exponentials; uniform acceleration without drag",
      .coordinates = {{"x", "m"}, {"phi", "rad"}},
      .velocities = {{"x'", "m/s"}, {"phi'", "rad/s"}},
      .contacts = {{"sliding down the slope", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

std::array<Parameter<Wheel>, 6> Wheel::parameters() {
  return {{{"mass", &Wheel::mass, "kg", "mass of the wheel", positive},
           {"radius", &Wheel::radius, "m", "radius of the wheel", positive},
           {"axial_ratio",
            &Wheel::axial_ratio,
            "1",
            "moment of inertia about the axle over m r^2 (0.5 disc, 1 hoop)",
            {.low = 0.0, .high = 1.0, .low_open = true}},
           {"slope",
            &Wheel::slope,
            "rad",
            "inclination of the plane",
            {.low = -M_PI_2, .high = M_PI_2}},
           {"gravity", &Wheel::gravity, "m/s^2", "gravitational acceleration", non_negative},
           {"drag", &Wheel::drag, "N s/m", "force on the centre per speed, against the motion",
            non_negative}}};
}

double Wheel::downhill() const {
  return gravity * std::sin(slope);
}

InitialState Wheel::start() const {
  const double speed = 0.3;
  return {Eigen::Vector2d(0.0, 0.0), Eigen::Vector2d(speed, speed / radius)};
}

std::optional<Motion> Wheel::closed_form(const InitialState& start,
                                         const std::vector<double>& times) const {
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
    motion.q.col(k) << x, start.q(1) + (x - start.q(0)) / radius;
    motion.v.col(k) << u, u / radius;
    motion.lambda(0, k) = axial_ratio * mass * exact.acceleration(t);
  }
  return motion;
}

template SystemEntry entry_of<Wheel>();

}  // namespace rigidlimit
