#include "rigidlimit/systems/friction/wheel.hpp"

#include <cmath>

#include "rigidlimit/systems/closed_forms.hpp"
#include "rigidlimit/systems/dragged_motion.hpp"
#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

namespace {

/// Bound for no sliding, relative to the two speeds whose difference it is: 4 roundings of each.
constexpr double rounding = 1e-15;

}  // namespace

const SystemInfo& Wheel::info() {
  static const InitialState start = Wheel{}.start();
  static const SystemInfo info{
      .name = "wheel",
      .title = "Wheel on an incline, rolling or slipping, in position and angle",
      .equations =
          "q = (x, phi), v = q'; x points down the slope, phi turns as the wheel rolls down\n"
          "M = diag(m, J), J = axial_ratio m r^2\n"
          "F = (m g sin(alpha) - drag x', 0)\n"
          "G = (1, -r); G v is the velocity of the lowest point, down the slope\n"
          "rolling: (1 + axial_ratio) m x'' = m g sin(alpha) - drag x'\n"
          "normal force m g cos(alpha), given: rolling from rest without drag needs\n"
          "friction >= |tan(alpha)| axial_ratio/(1 + axial_ratio)",
      .source =
          "Souchet, Contact problems using quaternions in Lagrange equations (here the "
          "cross-check); docs/theory.md, sections 8 and 10",
      .closed_form =
          "q, v and Lambda of rolling by exponentials, uniform acceleration without drag; without "
          "drag also slipping, then rolling or further slipping",
      .coordinates = {{"x", "m"}, {"phi", "rad"}},
      .velocities = {{"x'", "m/s"}, {"phi'", "rad/s"}},
      .contacts = {{"sliding down the slope", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

std::array<Parameter<Wheel>, 6> Wheel::parameters() {
  return {{{"mass", &Wheel::mass, "kg", "mass of the wheel", positive},
           {"radius", &Wheel::radius, "m", "radius of the wheel", positive},
           {"axial_ratio",
            &Wheel::axial_ratio,
            "1",
            "moment of inertia about the axle over m r^2 (0.5 disc, 1 hoop)",
            {.low = 0.0, .high = 1.0, .low_open = true}},
           {"slope",
            &Wheel::slope,
            "rad",
            "inclination of the plane",
            {.low = -M_PI_2, .high = M_PI_2}},
           {"gravity", &Wheel::gravity, "m/s^2", "gravitational acceleration", non_negative},
           {"drag", &Wheel::drag, "N s/m",
            "drag coefficient: force on the centre per speed, against the motion", non_negative}}};
}

std::array<Parameter<Wheel>, 1> Wheel::contact_parameters() {
  return {{{"friction", &Wheel::friction, "1", "coefficient of friction", non_negative}}};
}

std::vector<ContactPoint> Wheel::contacts() const {
  return {{.name = "ground",
           .first = 0,
           .components = 1,
           .normal = Normal::given,
           .friction = friction,
           .restitution = 0.0}};
}

double Wheel::pressing() const {
  return mass * gravity * std::cos(slope);
}

InitialState Wheel::sliding_start() const {
  return {Eigen::Vector2d(0.0, 0.0), Eigen::Vector2d(1.0, 0.0)};
}

double Wheel::downhill() const {
  return gravity * std::sin(slope);
}

InitialState Wheel::start() const {
  const double speed = 0.3;
  return {Eigen::Vector2d(0.0, 0.0), Eigen::Vector2d(speed, speed / radius)};
}

std::optional<Motion> Wheel::closed_form(const InitialState& start,
                                         const std::vector<double>& times) const {
  const double inertia = (1.0 + axial_ratio) * mass;
  const DraggedMotion exact{.position0 = start.q(0),
                            .speed0 = start.v(0),
                            .acceleration0 = (mass * downhill() - drag * start.v(0)) / inertia,
                            .rate = drag / inertia};
  Motion motion = motion_on(times, nq, n, m);
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

std::vector<UniformPiece> Wheel::pieces(const InitialState& start) const {
  const double turning_mass = axial_ratio * mass;  // J/r²
  const double ease = 1.0 / mass + 1.0 / turning_mass;
  const double limit = friction * pressing();
  const auto piece = [&](double t, const VectorXd& q, const VectorXd& v, double force) {
    return UniformPiece{
        .t = t,
        .q = q,
        .v = v,
        .a = Eigen::Vector2d(downhill() - force / mass, force / (turning_mass * radius)),
        .forces = Eigen::Vector2d(force, pressing())};
  };
  // At w = 0: rolling, or slipping in the direction for which friction is insufficient.
  const double holding = downhill() / ease;
  const double force_at_rest = std::clamp(holding, -limit, limit);

  const double w0 = start.v(0) - radius * start.v(1);
  if (std::abs(w0) <= rounding * (std::abs(start.v(0)) + radius * std::abs(start.v(1))))
    return {piece(0.0, start.q, start.v, force_at_rest)};
  const double force = std::copysign(limit, w0);
  const double w_rate = downhill() - ease * force;
  std::vector<UniformPiece> all{piece(0.0, start.q, start.v, force)};
  if (w_rate * w0 < 0.0) {
    const double t = -w0 / w_rate;
    all.push_back(piece(t, all[0].position(t), all[0].speed(t), force_at_rest));
  }
  return all;
}

std::optional<KnownHistory> Wheel::closed_history(const InitialState& start,
                                                  const std::vector<double>& times) const {
  if (drag != 0.0) return std::nullopt;
  return history_of(pieces(start), times);
}

template SystemEntry entry_of<Wheel>();

}  // namespace rigidlimit
