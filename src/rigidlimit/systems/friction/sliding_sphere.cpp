#include "rigidlimit/systems/friction/sliding_sphere.hpp"

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& SlidingSphere::info() {
  static const InitialState start = SlidingSphere{}.start();
  static const SystemInfo info{
      .name = "sliding_sphere",
      .title = "Ball that slides on a table until it rolls",
      .equations =
          "q = (x, y), v = (x', y', omega), omega along the axes of space, z upwards\n"
          "M = diag(m, m, J, J, J), J = inertia_ratio m r^2,   F = 0,   normal force m g, given\n"
          "W v = (x' - r omega_y, y' + r omega_x), one contact with two components\n"
          "slides for |w0| inertia_ratio/((1 + inertia_ratio) friction g), then rolls",
      .source = "textbook (a billiard ball); docs/theory.md, section 10",
      .closed_form = "a parabola, then a straight line",
      .coordinates = {{"x", "m"}, {"y", "m"}},
      .velocities = {{"x'", "m/s"},
                     {"y'", "m/s"},
                     {"omega_x", "rad/s"},
                     {"omega_y", "rad/s"},
                     {"omega_z", "rad/s"}},
      .contacts = {{"sliding along x", "m/s"}, {"sliding along y", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

std::array<Parameter<SlidingSphere>, 3> SlidingSphere::parameters() {
  return {{{"mass", &SlidingSphere::mass, "kg", "mass of the ball", positive},
           {"radius", &SlidingSphere::radius, "m", "radius of the ball", positive},
           {"inertia_ratio",
            &SlidingSphere::inertia_ratio,
            "1",
            "moment of inertia over m r^2 (0.4 homogeneous ball, 2/3 hollow sphere)",
            {.low = 0.0, .high = 1.0, .low_open = true}}}};
}

std::array<Parameter<SlidingSphere>, 2> SlidingSphere::contact_parameters() {
  return {
      {{"gravity", &SlidingSphere::gravity, "m/s^2", "gravitational acceleration", non_negative},
       {"friction", &SlidingSphere::friction, "1", "coefficient of friction", non_negative}}};
}

std::vector<ContactPoint> SlidingSphere::contacts() const {
  return {{.name = "table",
           .first = 0,
           .components = 2,
           .normal = Normal::given,
           .friction = friction,
           .restitution = 0.0}};
}

InitialState SlidingSphere::start() const {
  return {Eigen::Vector2d(0.0, 0.0), Vector<double, 5>(2.0, 0.0, -10.0, 0.0, 3.0)};
}

std::optional<KnownHistory> SlidingSphere::closed_history(const InitialState& start,
                                                          const std::vector<double>& times) const {
  const Eigen::Vector2d w = constraint(Vector<double, nq>(start.q)) * start.v;
  const double speed = w.norm(), N = mass * gravity;
  // Bound for no sliding: the roundings of the two speeds whose difference it is.
  const bool slides = speed > 1e-15 * (start.v.head<2>().norm() + radius * start.v.norm());
  const VectorXd no_acceleration = VectorXd::Zero(n);
  if (!slides)
    return history_of({{0.0, start.q, start.v, no_acceleration, Eigen::Vector3d(0.0, 0.0, N)}},
                      times);

  const Eigen::Vector2d lambda = friction * N / speed * w;
  const double J = inertia_ratio * mass * radius * radius;
  VectorXd a = VectorXd::Zero(n);
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

template SystemEntry entry_of<SlidingSphere>();

}  // namespace rigidlimit
