#include "rigidlimit/systems/rolling/knife_edge.hpp"

#include <cmath>

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& KnifeEdge::info() {
  static const SystemInfo info{
      .name = "knife_edge",
      .title = "Knife edge (skate) on an inclined plane",
      .equations =
          "q = (x, y, phi), v = q'\n"
          "M = diag(m, m, J)\n"
          "F = (m g sin(alpha), 0, 0)\n"
          "G = (-sin(phi), cos(phi), 0)\n"
          "x points down the slope; G v is the sliding velocity to the left of the heading",
      .source =
          "Neimark and Fufaev, Dynamics of Nonholonomic Systems (1972); docs/theory.md, section 8",
      .closed_form = "q, v and Lambda for a turning rate phi' != 0",
      .coordinates = {{"x", "m"}, {"y", "m"}, {"phi", "rad"}},
      .velocities = {{"x'", "m/s"}, {"y'", "m/s"}, {"phi'", "rad/s"}},
      .contacts = {{"lateral sliding", "m/s"}},
      .initial_q = {0.0, 0.0, 0.0},
      .initial_v = {0.7, 0.0, 1.3}};
  return info;
}

std::array<Parameter<KnifeEdge>, 4> KnifeEdge::parameters() {
  return {{{"mass", &KnifeEdge::mass, "kg", "mass of the body", positive},
           {"inertia", &KnifeEdge::inertia, "kg m^2",
            "moment of inertia about the vertical through the centre of mass", positive},
           {"slope",
            &KnifeEdge::slope,
            "rad",
            "inclination of the plane",
            {.low = -M_PI_2, .high = M_PI_2}},
           {"gravity", &KnifeEdge::gravity, "m/s^2", "gravitational acceleration", non_negative}}};
}

double KnifeEdge::downhill() const {
  return gravity * std::sin(slope);
}

std::optional<Motion> KnifeEdge::closed_form(const InitialState& start,
                                             const std::vector<double>& times) const {
  // docs/theory.md has φ(0) = 0 and the position at the origin. Here φ = φ0 + ωt, and with θ = ωt
  //   u = u0 + (s/ω)(sin(φ0+θ) − sin φ0),  Λ = −m (s sin φ + u ω),
  // the position being the integral of u (cos φ, sin φ).
  const double omega = start.v(2);
  // Below this the divisions by ω² cost more than four of the sixteen digits.
  if (std::abs(omega) < 1e-2) return std::nullopt;
  const double s = downhill();
  const double phi0 = start.q(2);
  const double u0 = start.v(0) * std::cos(phi0) + start.v(1) * std::sin(phi0);
  const double base = u0 - (s / omega) * std::sin(phi0);  // u = base + (s/ω) sin φ

  Motion motion{.times = times, .q = {}, .v = {}, .lambda = {}};
  const Index count = static_cast<Index>(times.size());
  motion.q.resize(nq, count);
  motion.v.resize(n, count);
  motion.lambda.resize(m, count);
  for (Index k = 0; k < count; ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    const double phi = phi0 + omega * t;
    const double u = base + (s / omega) * std::sin(phi);
    // ∫u cos φ dt and ∫u sin φ dt
    const double dx =
        (base / omega) * (std::sin(phi) - std::sin(phi0)) +
        s / (2.0 * omega * omega) * (std::pow(std::sin(phi), 2) - std::pow(std::sin(phi0), 2));
    const double dy =
        (base / omega) * (std::cos(phi0) - std::cos(phi)) +
        (s / omega) * (0.5 * t - (std::sin(2.0 * phi) - std::sin(2.0 * phi0)) / (4.0 * omega));
    motion.q.col(k) << start.q(0) + dx, start.q(1) + dy, phi;
    motion.v.col(k) << u * std::cos(phi), u * std::sin(phi), omega;
    motion.lambda(0, k) = -mass * (s * std::sin(phi) + u * omega);
  }
  return motion;
}

template SystemEntry entry_of<KnifeEdge>();

}  // namespace rigidlimit
