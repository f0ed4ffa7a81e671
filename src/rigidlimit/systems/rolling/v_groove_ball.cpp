#include "rigidlimit/systems/rolling/v_groove_ball.hpp"

#include <cmath>

#include "rigidlimit/systems/dragged_motion.hpp"
#include "rigidlimit/systems/entry_of.hpp"
#include "rigidlimit/systems/extended_parameters.hpp"
#include "rigidlimit/systems/groove_ball_parameters.hpp"

namespace rigidlimit {

const SystemInfo& VGrooveBall::info() {
  static const InitialState start = VGrooveBall{}.start();
  static const SystemInfo info{
      .name = "v_groove_ball",
      .title = "Ball that rolls down a V-groove, on both walls",
      .equations =
          "q = (s, psi), v = (s', omega); axes: x down the groove, y to the left, z off it;\n"
          "psi' = omega (nothing depends on the orientation)\n"
          "M = diag(m, J, J, J), J = inertia_ratio m r^2\n"
          "F = (m g sin(alpha) - drag s', couple, 0, 0)\n"
          "G v = (s' - r cos(gamma) omega_y - r sin(gamma) omega_z,   left, along\n"
          "       r omega_x,                                          left, across\n"
          "       s' - r cos(gamma) omega_y + r sin(gamma) omega_z,   right, along\n"
          "       r omega_x)                                          right, across\n"
          "rank 3: the stiffness decides how the walls share Lambda_2 + Lambda_4 = couple/r\n"
          "rolling: (1 + inertia_ratio/cos(gamma)^2) m s'' = m g sin(alpha) - drag s'",
      .source = "Antali and Stepan, Nonlinear Dynamics (2021); docs/theory.md, sections 6 and 8",
      .closed_form = "q, v and Lambda (with equal forces across) by exponentials",
      .coordinates = {{"s", "m"}, {"psi_x", "rad"}, {"psi_y", "rad"}, {"psi_z", "rad"}},
      .velocities = {{"s'", "m/s"}, {"psi_x'", "rad/s"}, {"psi_y'", "rad/s"}, {"psi_z'", "rad/s"}},
      .contacts = {{"left along", "m/s"},
                   {"left across", "m/s"},
                   {"right along", "m/s"},
                   {"right across", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

std::array<Parameter<VGrooveBall>, 8> VGrooveBall::parameters() {
  return extended<VGrooveBall>(
      groove_ball_parameters<VGrooveBall>(),
      {{"drag", &VGrooveBall::drag, "N s/m", "force on the centre per speed, against the motion",
        non_negative},
       {"couple", &VGrooveBall::couple, "N m", "torque about the direction of the groove"}});
}

double VGrooveBall::inertia() const {
  return inertia_ratio * mass * radius * radius;
}
double VGrooveBall::downhill() const {
  return gravity * std::sin(slope);
}

InitialState VGrooveBall::start() const {
  const double speed = 0.2;
  return {Eigen::Vector4d::Zero(),
          Eigen::Vector4d(speed, 0.0, speed / (radius * std::cos(half_angle)), 0.0)};
}

std::optional<Motion> VGrooveBall::closed_form(const InitialState& start,
                                               const std::vector<double>& times) const {
  // J ω_y' = r cos γ (Λ₁ + Λ₃) and ω_y = s'/(r cos γ): the contacts along carry J s''/(r cos γ)².
  const double lever = radius * std::cos(half_angle);
  const double carried = inertia() / (lever * lever);
  const double moved = mass + carried;
  const DraggedMotion exact{.position0 = start.q(0),
                            .speed0 = start.v(0),
                            .acceleration0 = (mass * downhill() - drag * start.v(0)) / moved,
                            .rate = drag / moved};
  Motion motion{.times = times, .q = {}, .v = {}, .lambda = {}};
  const Index count = static_cast<Index>(times.size());
  motion.q.resize(nq, count);
  motion.v.resize(n, count);
  motion.lambda.resize(m, count);
  for (Index k = 0; k < count; ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    const double s = exact.position(t), u = exact.speed(t);
    const double along = 0.5 * carried * exact.acceleration(t), across = 0.5 * couple / radius;
    motion.q.col(k) << s, start.q(1), start.q(2) + (s - start.q(0)) / lever, start.q(3);
    motion.v.col(k) << u, 0.0, u / lever, 0.0;
    motion.lambda.col(k) << along, across, along, across;
  }
  return motion;
}

template SystemEntry entry_of<VGrooveBall>();

}  // namespace rigidlimit
