#include "rigidlimit/systems/slipping_wheel.hpp"

#include <cmath>

#include "rigidlimit/systems/extended_parameters.hpp"
#include "rigidlimit/systems/frictional_entry_of.hpp"

namespace rigidlimit {

namespace {

/// What passes for no sliding, beside the speeds it is the difference of: 4 roundings of each.
constexpr double rounding = 1e-15;

}  // namespace

SlippingWheel::SlippingWheel() {
  mass = 1.0;
  radius = 0.1;
  axial_ratio = 0.5;
  slope = 0.3;
  drag = 0.0;
}

const SystemInfo& SlippingWheel::info() {
  static const InitialState start = SlippingWheel{}.start();
  static const SystemInfo info{
      .name = "slipping_wheel",
      .title = "Wheel on a rough incline, in its way and its angle",
      .equations =
          "q = (x, phi), v = q'; x points down the slope, phi turns as the wheel rolls down\n"
          "M = diag(m, J), J = axial_ratio m r^2\n"
          "F = (m g sin(alpha) - drag x', 0),   normal force m g cos(alpha), given\n"
          "W = (1, -r); W v is the velocity of the lowest point, down the slope\n"
          "rolling needs friction >= |tan(alpha)| axial_ratio/(1 + axial_ratio)",
      .source =
          "Souchet, Contact problems using quaternions in Lagrange equations (here the "
          "cross-check); docs/theory.md, section 10",
      .closed_form = "slipping, then rolling or slipping on; none with drag",
      .coordinates = {{"x", "m"}, {"phi", "rad"}},
      .velocities = {{"x'", "m/s"}, {"phi'", "rad/s"}},
      .contacts = {{"sliding down the slope", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

std::array<Parameter<SlippingWheel>, 7> SlippingWheel::parameters() {
  return extended<SlippingWheel>(Wheel::parameters(), {{"friction", &SlippingWheel::friction, "1",
                                                        "coefficient of friction", non_negative}});
}

std::vector<ContactPoint> SlippingWheel::contacts() const {
  return {{.name = "ground",
           .first = 0,
           .components = 1,
           .normal = Normal::given,
           .friction = friction,
           .restitution = 0.0}};
}

double SlippingWheel::pressing() const {
  return mass * gravity * std::cos(slope);
}

InitialState SlippingWheel::start() const {
  return {Eigen::Vector2d(0.0, 0.0), Eigen::Vector2d(1.0, 0.0)};
}

std::vector<UniformPiece> SlippingWheel::pieces(const InitialState& start) const {
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
  // At w = 0: rolling, or slipping in the direction in which friction does not suffice.
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

std::optional<KnownHistory> SlippingWheel::closed_history(const InitialState& start,
                                                          const std::vector<double>& times) const {
  if (drag != 0.0) return std::nullopt;
  return history_of(pieces(start), times);
}

template FrictionalEntry frictional_entry_of<SlippingWheel>();

}  // namespace rigidlimit
