#include "rigidlimit/systems/closed_forms.hpp"

#include <cmath>

namespace rigidlimit {

std::optional<Motion> two_blade_dumbbell_motion(const std::vector<double>& values,
                                                const InitialState& start,
                                                const std::vector<double>& times) {
  const auto [front_mass, back_mass, length, front_angle, back_angle, slope, gravity] =
      unpacked<7>(values);
  const double mass = front_mass + back_mass;
  const double front = back_mass * length / mass, back = front_mass * length / mass;
  const double inertia = back_mass * back * length;
  if (gravity * std::sin(slope) != 0.0) return std::nullopt;
  const double omega = start.v(2), phi0 = start.q(2);
  // In the frame of the bar the velocity of the centre of mass is constant, and so is Λ, from
  // (G M⁻¹ Gᵀ) Λ = (∂q G[v]) v.
  const double u = std::cos(phi0) * start.v(0) + std::sin(phi0) * start.v(1);
  const double w = -std::sin(phi0) * start.v(0) + std::cos(phi0) * start.v(1);
  Matrix<double, 2, 3> G;  // at phi = 0
  G << -std::sin(front_angle), std::cos(front_angle), front * std::cos(front_angle),
      -std::sin(back_angle), std::cos(back_angle), -back * std::cos(back_angle);
  const Eigen::Vector3d light(1.0 / mass, 1.0 / mass, 1.0 / inertia);
  const Eigen::Matrix2d A = G * light.asDiagonal() * G.transpose();
  const Eigen::Vector2d drift(-omega * (std::cos(front_angle) * u + std::sin(front_angle) * w),
                              -omega * (std::cos(back_angle) * u + std::sin(back_angle) * w));
  const Eigen::Vector2d multiplier = A.inverse() * drift;

  Motion motion = motion_on(times, 3, 3, 2);
  const Index count = motion.q.cols();
  for (Index k = 0; k < count; ++k) {
    const double t = times[static_cast<std::size_t>(k)], half = 0.5 * omega * t;
    const double phi = phi0 + omega * t, middle = phi0 + half;
    const double chord = half == 0.0 ? t : t * std::sin(half) / half;
    motion.q.col(k) << start.q(0) + chord * (u * std::cos(middle) - w * std::sin(middle)),
        start.q(1) + chord * (u * std::sin(middle) + w * std::cos(middle)), phi;
    motion.v.col(k) << u * std::cos(phi) - w * std::sin(phi), u * std::sin(phi) + w * std::cos(phi),
        omega;
    motion.lambda.col(k) = multiplier;
  }
  return motion;
}

}  // namespace rigidlimit
