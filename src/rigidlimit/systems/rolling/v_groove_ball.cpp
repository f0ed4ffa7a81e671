#include "rigidlimit/systems/closed_forms.hpp"

#include <cmath>

#include "rigidlimit/systems/dragged_motion.hpp"

namespace rigidlimit {

std::optional<Motion> v_groove_ball_motion(const std::vector<double>& values,
                                           const InitialState& start,
                                           const std::vector<double>& times) {
  const auto [mass, radius, inertia_ratio, half_angle, slope, gravity, drag, couple] =
      unpacked<8>(values);
  // J ω_y' = r cos γ (Λ₁ + Λ₃) and ω_y = s'/(r cos γ): the contacts along carry J s''/(r cos γ)².
  const double lever = radius * std::cos(half_angle);
  const double carried = inertia_ratio * mass * radius * radius / (lever * lever);
  const double moved = mass + carried;
  const auto exact = DraggedMotion::from(start, mass * (gravity * std::sin(slope)), drag, moved);
  Motion motion = motion_on(times, 4, 4, 4);
  const Index count = motion.q.cols();
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

}  // namespace rigidlimit
