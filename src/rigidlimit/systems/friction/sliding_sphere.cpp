#include "rigidlimit/systems/closed_forms.hpp"
#include "rigidlimit/systems/friction/uniform_pieces.hpp"

namespace rigidlimit {

std::optional<KnownHistory> sliding_sphere_history(const std::vector<double>& values,
                                                   const InitialState& start,
                                                   const std::vector<double>& times) {
  const auto [mass, radius, inertia_ratio, gravity, friction] = unpacked<5>(values);
  const Eigen::Vector2d w(start.v(0) - radius * start.v(3), start.v(1) + radius * start.v(2));
  const double speed = w.norm(), N = mass * gravity;
  // Bound for no sliding: the roundings of the two speeds whose difference it is.
  const bool slides = speed > 1e-15 * (start.v.head<2>().norm() + radius * start.v.norm());
  const VectorXd no_acceleration = VectorXd::Zero(5);
  if (!slides)
    return history_of({{0.0, start.q, start.v, no_acceleration, Eigen::Vector3d(0.0, 0.0, N)}},
                      times);

  const Eigen::Vector2d lambda = friction * N / speed * w;
  const double J = inertia_ratio * mass * radius * radius;
  VectorXd a = VectorXd::Zero(5);
  a.head<2>() = -lambda / mass;
  a(2) = -radius * lambda(1) / J;
  a(3) = radius * lambda(0) / J;
  std::vector<UniformPiece> pieces{
      {0.0, start.q, start.v, a, Eigen::Vector3d(lambda(0), lambda(1), N)}};
  const double slowing = friction * gravity * (1.0 + 1.0 / inertia_ratio);
  if (slowing > 0.0) {
    const double t = speed / slowing;
    pieces.push_back({t, pieces[0].position(t), pieces[0].speed(t), no_acceleration,
                      Eigen::Vector3d(0.0, 0.0, N)});
  }
  return history_of(pieces, times);
}

}  // namespace rigidlimit
