#include "rigidlimit/systems/rolling/turntable_ball.hpp"

#include <cmath>

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& TurntableBall::info() {
  static const InitialState start = TurntableBall{}.start();
  static const SystemInfo info{
      .name = "turntable_ball",
      .title = "Ball on a turntable, in the frame of the table",
      .equations =
          "q = (X, Y), v = (X', Y', w_x, w_y, w_z) in axes that turn with the table;\n"
          "w is the angular velocity relative to the table, omega = w + Omega e_z\n"
          "M = diag(m, m, J, J, J), J = inertia_ratio m r^2\n"
          "F = (m (2 Omega Y' + Omega^2 X), m (-2 Omega X' + Omega^2 Y),\n"
          "     J Omega w_y, -J Omega w_x, 0)\n"
          "G v = (X' - r w_y, Y' + r w_x), the sliding of the lowest point over the table\n"
          "P = -m/2 Omega^2 (X^2 + Y^2): K* + P is the Jacobi integral",
      .source = "Earnshaw (1844); Neimark and Fufaev (1972); docs/theory.md, section 8",
      .closed_form = "q, v and Lambda; in an inertial frame a circle at 2/7 Omega",
      .coordinates = {{"X", "m"}, {"Y", "m"}},
      .velocities =
          {{"X'", "m/s"}, {"Y'", "m/s"}, {"w_x", "rad/s"}, {"w_y", "rad/s"}, {"w_z", "rad/s"}},
      .contacts = {{"sliding along X", "m/s"}, {"sliding along Y", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

std::array<Parameter<TurntableBall>, 4> TurntableBall::parameters() {
  constexpr Range sphere{.low = 0.0, .high = 2.0 / 3.0, .low_open = true};
  return {{{"mass", &TurntableBall::mass, "kg", "mass of the ball", positive},
           {"radius", &TurntableBall::radius, "m", "radius of the ball", positive},
           {"inertia_ratio", &TurntableBall::inertia_ratio, "1",
            "moment of inertia over m r^2 (2/5 homogeneous ball, 2/3 hollow sphere)", sphere},
           {"table_rate", &TurntableBall::table_rate, "rad/s", "angular velocity of the table"}}};
}

double TurntableBall::inertia() const {
  return inertia_ratio * mass * radius * radius;
}
double TurntableBall::circling_rate() const {
  return inertia_ratio / (1.0 + inertia_ratio) * table_rate;
}

InitialState TurntableBall::start() const {
  const double X_rate = 0.2, Y_rate = 0.1, spin = 1.0;
  Vector<double, n> v;
  v << X_rate, Y_rate, -Y_rate / radius, X_rate / radius, spin;
  return {Eigen::Vector2d(0.5, 0.0), v};
}

namespace {

Eigen::Vector2d turned_left(const Eigen::Vector2d& a) {
  return {-a(1), a(0)};
}
Eigen::Vector2d turned(const Eigen::Vector2d& a, double angle) {
  return std::cos(angle) * a + std::sin(angle) * turned_left(a);
}

}  // namespace

std::optional<Motion> TurntableBall::closed_form(const InitialState& start,
                                                 const std::vector<double>& times) const {
  // In the inertial frame that coincides with the table's at t = 0: friction f gives m V' = f and J
  // ω' = −r e_z × f, and V + r e_z × ω = Ω e_z × x differentiated gives V' = ν e_z × V with ν =
  // κ/(1 + κ) Ω. Hence V turns at ν, and x = x0 + ∫V.
  const double nu = circling_rate();
  const Eigen::Vector2d x0 = start.q;
  const Eigen::Vector2d V0 = start.v.head<2>() + table_rate * turned_left(x0);

  Motion motion{.times = times, .q = {}, .v = {}, .lambda = {}};
  const Index count = static_cast<Index>(times.size());
  motion.q.resize(nq, count);
  motion.v.resize(n, count);
  motion.lambda.resize(m, count);
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

template SystemEntry entry_of<TurntableBall>();

}  // namespace rigidlimit
