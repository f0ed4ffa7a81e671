#include "rigidlimit/systems/closed_forms.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/systems/dragged_motion.hpp"
#include "rigidlimit/systems/friction/uniform_pieces.hpp"

namespace rigidlimit {

std::optional<Motion> wheel_motion(const std::vector<double>& values, const InitialState& start,
                                   const std::vector<double>& times) {
  const auto [mass, radius, axial_ratio, slope, gravity, drag] = unpacked<6>(values);
  const double inertia = (1.0 + axial_ratio) * mass;
  const auto exact = DraggedMotion::from(start, mass * (gravity * std::sin(slope)), drag, inertia);
  Motion motion = motion_on(times, 2, 2, 1);
  const Index count = motion.q.cols();
  for (Index k = 0; k < count; ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    const double x = exact.position(t), u = exact.speed(t);
    motion.q.col(k) << x, start.q(1) + (x - start.q(0)) / radius;
    motion.v.col(k) << u, u / radius;
    motion.lambda(0, k) = axial_ratio * mass * exact.acceleration(t);
  }
  return motion;
}

namespace {

/// The history in pieces: one, or two with a change at w = 0. With the normal force N = m g cos α,
/// s = g sin α and no drag
///
///   slipping   x'' = s ∓ μ N/m,  r φ'' = ±μ N/(κ m),  w' = s ∓ μ (N/m)(1 + κ)/κ,  ± = sign w
///   rolling    x'' = r φ'' = s/(1 + κ),  λ = m s κ/(1 + κ):  needs |λ| ≤ μ N
///
/// A slipping wheel begins to roll at w = 0 if it can. Otherwise it continues to slip, or slips
/// back, in the direction of w' (Souchet; docs/theory.md, section 10).
std::vector<UniformPiece> pieces_of(const std::vector<double>& values, const InitialState& start) {
  const double mass = values.at(0), radius = values.at(1), axial_ratio = values.at(2);
  const double slope = values.at(3), gravity = values.at(4), friction = values.at(6);
  const double downhill = gravity * std::sin(slope), pressing = mass * gravity * std::cos(slope);
  // Bound for no sliding, relative to the two speeds whose difference it is: 4 roundings of each.
  constexpr double rounding = 1e-15;
  const double turning_mass = axial_ratio * mass;  // J/r²
  const double ease = 1.0 / mass + 1.0 / turning_mass;
  const double limit = friction * pressing;
  const auto piece = [&](double t, const VectorXd& q, const VectorXd& v, double force) {
    return UniformPiece{
        .t = t,
        .q = q,
        .v = v,
        .a = Eigen::Vector2d(downhill - force / mass, force / (turning_mass * radius)),
        .forces = Eigen::Vector2d(force, pressing)};
  };
  // At w = 0: rolling, or slipping in the direction for which friction is insufficient.
  const double holding = downhill / ease;
  const double force_at_rest = std::clamp(holding, -limit, limit);

  const double w0 = start.v(0) - radius * start.v(1);
  if (std::abs(w0) <= rounding * (std::abs(start.v(0)) + radius * std::abs(start.v(1))))
    return {piece(0.0, start.q, start.v, force_at_rest)};
  const double force = std::copysign(limit, w0);
  const double w_rate = downhill - ease * force;
  std::vector<UniformPiece> all{piece(0.0, start.q, start.v, force)};
  if (w_rate * w0 < 0.0) {
    const double t = -w0 / w_rate;
    all.push_back(piece(t, all[0].position(t), all[0].speed(t), force_at_rest));
  }
  return all;
}

}  // namespace

std::optional<KnownHistory> wheel_history(const std::vector<double>& values,
                                          const InitialState& start,
                                          const std::vector<double>& times) {
  if (unpacked<6>(values)[5] != 0.0) return std::nullopt;
  return history_of(pieces_of(values, start), times);
}

}  // namespace rigidlimit
