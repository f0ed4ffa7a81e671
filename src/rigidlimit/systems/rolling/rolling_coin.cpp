#include "rigidlimit/systems/rolling/rolling_coin.hpp"

#include <cmath>

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& RollingCoin::info() {
  static const InitialState start = RollingCoin{}.start();
  static const SystemInfo info{
      .name = "rolling_coin",
      .title = "Coin that rolls upright on an inclined plane",
      .equations =
          "q = (x, y, yaw, spin), v = q'; x points down the slope, the coin stays upright\n"
          "M = diag(m, m, I/2, I), I = axial_ratio m r^2\n"
          "F = (m g sin(alpha), 0, 0, 0)\n"
          "G v = (cos(yaw) x' + sin(yaw) y' - r spin',   along the heading\n"
          "       -sin(yaw) x' + cos(yaw) y')            to the left of it",
      .source =
          "Neimark and Fufaev (1972); Bloch, Nonholonomic Mechanics and Control (2003), "
          "section 1.4; docs/theory.md, section 8",
      .closed_form = "q, v and Lambda for a turning rate yaw' != 0",
      .coordinates = {{"x", "m"}, {"y", "m"}, {"yaw", "rad"}, {"spin", "rad"}},
      .velocities = {{"x'", "m/s"}, {"y'", "m/s"}, {"yaw'", "rad/s"}, {"spin'", "rad/s"}},
      .contacts = {{"sliding along the heading", "m/s"}, {"sliding to the left", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

std::array<Parameter<RollingCoin>, 5> RollingCoin::parameters() {
  return {
      {{"mass", &RollingCoin::mass, "kg", "mass of the coin", positive},
       {"radius", &RollingCoin::radius, "m", "radius of the coin", positive},
       {"axial_ratio",
        &RollingCoin::axial_ratio,
        "1",
        "moment of inertia about the axle over m r^2 (0.5 coin, 1 hoop)",
        {.low = 0.0, .high = 1.0, .low_open = true}},
       {"slope",
        &RollingCoin::slope,
        "rad",
        "inclination of the plane",
        {.low = -M_PI_2, .high = M_PI_2}},
       {"gravity", &RollingCoin::gravity, "m/s^2", "gravitational acceleration", non_negative}}};
}

double RollingCoin::downhill() const {
  return gravity * std::sin(slope);
}

InitialState RollingCoin::start() const {
  const double speed = 0.7, yaw_rate = 1.3;
  return {Eigen::Vector4d::Zero(), Eigen::Vector4d(speed, 0.0, yaw_rate, speed / radius)};
}

std::optional<Motion> RollingCoin::closed_form(const InitialState& start,
                                               const std::vector<double>& times) const {
  // ψ = ψ0 + ωt and u = base + (s/ω) sin ψ; the position is the integral of u (cos ψ, sin ψ), the
  // spin that of u/r.
  const double omega = start.v(2);
  // Below this the divisions by ω² cost more than four of the sixteen digits.
  if (std::abs(omega) < 1e-2) return std::nullopt;
  const double s = downhill() / (1.0 + axial_ratio);
  const double psi0 = start.q(2), sin0 = std::sin(psi0), cos0 = std::cos(psi0);
  const double u0 = start.v(0) * cos0 + start.v(1) * sin0;
  const double swing = s / omega;
  const double base = u0 - swing * sin0;

  Motion motion{.times = times, .q = {}, .v = {}, .lambda = {}};
  const Index count = static_cast<Index>(times.size());
  motion.q.resize(nq, count);
  motion.v.resize(n, count);
  motion.lambda.resize(m, count);
  for (Index k = 0; k < count; ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    const double psi = psi0 + omega * t, sin_psi = std::sin(psi), cos_psi = std::cos(psi);
    const double u = base + swing * sin_psi;
    // ∫u dt, ∫u cos ψ dt and ∫u sin ψ dt
    const double way = base * t + swing * (cos0 - cos_psi) / omega;
    const double dx =
        (base * (sin_psi - sin0) + 0.5 * swing * (sin_psi * sin_psi - sin0 * sin0)) / omega;
    const double dy =
        (base * (cos0 - cos_psi) - 0.5 * swing * (sin_psi * cos_psi - sin0 * cos0)) / omega +
        0.5 * swing * t;
    motion.q.col(k) << start.q(0) + dx, start.q(1) + dy, psi, start.q(3) + way / radius;
    motion.v.col(k) << u * cos_psi, u * sin_psi, omega, u / radius;
    // I φ'' = r Λ₁ with r φ'' = u' = s cos ψ; across the heading m u ω = −m g sin α sin ψ − Λ₂.
    motion.lambda.col(k) << axial_ratio * mass * s * cos_psi,
        -mass * (u * omega + downhill() * sin_psi);
  }
  return motion;
}

template SystemEntry entry_of<RollingCoin>();

}  // namespace rigidlimit
