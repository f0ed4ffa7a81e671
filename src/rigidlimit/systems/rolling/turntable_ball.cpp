#include "rigidlimit/systems/closed_forms.hpp"

#include <cmath>

namespace rigidlimit {

namespace {

Eigen::Vector2d turned_left(const Eigen::Vector2d& a) {
  return {-a(1), a(0)};
}
Eigen::Vector2d turned(const Eigen::Vector2d& a, double angle) {
  return std::cos(angle) * a + std::sin(angle) * turned_left(a);
}

}  // namespace

std::optional<Motion> turntable_ball_motion(const std::vector<double>& values,
                                            const InitialState& start,
                                            const std::vector<double>& times) {
  const auto [mass, radius, inertia_ratio, table_rate] = unpacked<4>(values);
  // In the inertial frame that coincides with the table's at t = 0: friction f gives m V' = f and J
  // ω' = −r e_z × f, and V + r e_z × ω = Ω e_z × x differentiated gives V' = ν e_z × V with ν =
  // κ/(1 + κ) Ω. Hence V turns at ν, and x = x0 + ∫V.
  const double nu = inertia_ratio / (1.0 + inertia_ratio) * table_rate;
  const Eigen::Vector2d x0 = start.q;
  const Eigen::Vector2d V0 = start.v.head<2>() + table_rate * turned_left(x0);

  Motion motion = motion_on(times, 2, 5, 2);
  const Index count = motion.q.cols();
  for (Index k = 0; k < count; ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    // ∫V = t sinc(νt/2) V(t/2)
    const double half = 0.5 * nu * t;
    const double way = half == 0.0 ? t : t * std::sin(half) / half;
    const Eigen::Vector2d x = x0 + way * turned(V0, half);
    const Eigen::Vector2d V = turned(V0, nu * t);
    const double back = -table_rate * t;
    const Eigen::Vector2d relative = turned(V - table_rate * turned_left(x), back);
    motion.q.col(k) = turned(x, back);
    motion.v.col(k) << relative, -relative(1) / radius, relative(0) / radius, start.v(4);
    motion.lambda.col(k) = -mass * nu * turned_left(turned(V, back));
  }
  return motion;
}

}  // namespace rigidlimit
