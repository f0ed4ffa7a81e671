#include "rigidlimit/systems/closed_forms.hpp"

#include "rigidlimit/systems/rolling/rippled.hpp"

namespace rigidlimit {

namespace {

/// v' and Λ under a constant force; `light`: the diagonal of M⁻¹.
struct Response {
  Eigen::Vector4d acceleration;
  Eigen::Vector2d multiplier;
};
Response response_to(const Eigen::Vector4d& F, const Eigen::Vector4d& light,
                     const Matrix<double, 2, 4>& G) {
  const Eigen::Matrix2d A = G * light.asDiagonal() * G.transpose();
  const Eigen::Vector2d multiplier = A.inverse() * (G * light.cwiseProduct(F));
  return {light.cwiseProduct(F - G.transpose() * multiplier), multiplier};
}

}  // namespace

std::optional<Motion> race_roller_motion(const std::vector<double>& values,
                                         const InitialState& start,
                                         const std::vector<double>& times) {
  const auto [inner_radius, roller_radius, roller_mass, roller_inertia, inner_inertia,
              outer_inertia, drive_torque, drive_ripple, ripple_frequency, load_torque, gravity] =
      unpacked<11>(values);
  if (gravity != 0.0) return std::nullopt;
  const double orbit_radius = inner_radius + roller_radius;
  const double outer_radius = inner_radius + 2.0 * roller_radius;
  const Eigen::Vector4d light =
      Eigen::Vector4d(inner_inertia, roller_mass * orbit_radius * orbit_radius, roller_inertia,
                      outer_inertia)
          .cwiseInverse();
  Matrix<double, 2, 4> G;
  G << -inner_radius, orbit_radius, -roller_radius, 0.0,  //
      0.0, orbit_radius, roller_radius, -outer_radius;
  const Response drive_response = response_to({1.0, 0.0, 0.0, 0.0}, light, G);
  const Response load_response = response_to({0.0, 0.0, 0.0, -load_torque}, light, G);
  const Rippled torque{drive_torque, drive_ripple, ripple_frequency};
  Motion motion = motion_on(times, 4, 4, 2);
  const Index count = motion.q.cols();
  for (Index k = 0; k < count; ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    motion.q.col(k) = start.q + start.v * t +
                      drive_response.acceleration * torque.twice_integrated(t) +
                      load_response.acceleration * (0.5 * t * t);
    motion.v.col(k) = start.v + drive_response.acceleration * torque.integrated(t) +
                      load_response.acceleration * t;
    motion.lambda.col(k) = drive_response.multiplier * torque.at(t) + load_response.multiplier;
  }
  return motion;
}

}  // namespace rigidlimit
