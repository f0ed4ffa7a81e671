#include "rigidlimit/systems/closed_forms.hpp"

#include <cmath>

#include "rigidlimit/systems/dragged_motion.hpp"

namespace rigidlimit {

std::optional<Motion> wheel_euler_motion(const std::vector<double>& values,
                                         const InitialState& start,
                                         const std::vector<double>& times) {
  const auto [mass, radius, axial_ratio, slope, gravity, drag] = unpacked<6>(values);
  // (p, q) and (−p, −q) are the same rotation: θ/2 = atan2(q, p) keeps the sign of the start.
  const double half0 = std::atan2(start.q(3), start.q(2));
  const double inertia = (1.0 + axial_ratio) * mass;
  const auto exact = DraggedMotion::from(start, mass * (gravity * std::sin(slope)), drag, inertia);
  Motion motion = motion_on(times, 4, 4, 1);
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

namespace {

/// The state in the coordinates of `wheel`, (x, φ) and their rates.
InitialState in_angle(const InitialState& start) {
  const double p = start.q(2), q = start.q(3);
  const double half_rate = p * start.v(3) - q * start.v(2);
  return {Eigen::Vector2d(start.q(0), -2.0 * std::atan2(q, p)),
          Eigen::Vector2d(start.v(0), -2.0 * half_rate)};
}

}  // namespace

std::optional<KnownHistory> wheel_euler_history(const std::vector<double>& values,
                                                const InitialState& start,
                                                const std::vector<double>& times) {
  const double radius = unpacked<2>(values)[1];
  if (std::abs(start.q(1) - radius) > 1e-12 * radius || start.v(1) != 0.0) return std::nullopt;
  std::optional<KnownHistory> history = wheel_history(values, in_angle(start), times);
  if (!history) return std::nullopt;

  const Motion in_phi = history->motion;
  Motion& motion = history->motion;
  const Index count = static_cast<Index>(times.size());
  motion.q.resize(4, count);
  motion.v.resize(4, count);
  for (Index k = 0; k < count; ++k) {
    const double half = -0.5 * in_phi.q(1, k), half_rate = -0.5 * in_phi.v(1, k);
    const double p = std::cos(half), q = std::sin(half);
    motion.q.col(k) << in_phi.q(0, k), radius, p, q;
    motion.v.col(k) << in_phi.v(0, k), 0.0, -q * half_rate, p * half_rate;
  }
  return history;
}

}  // namespace rigidlimit
