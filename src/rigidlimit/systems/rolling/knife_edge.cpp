#include "rigidlimit/systems/closed_forms.hpp"

#include <cmath>

namespace rigidlimit {

std::optional<Motion> knife_edge_motion(const std::vector<double>& values,
                                        const InitialState& start,
                                        const std::vector<double>& times) {
  const auto [mass, inertia, slope, gravity] = unpacked<4>(values);
  // docs/theory.md has φ(0) = 0 and the position at the origin. Here φ = φ0 + ωt, and with θ = ωt
  //   u = u0 + (s/ω)(sin(φ0+θ) − sin φ0),  Λ = −m (s sin φ + u ω),
  // the position being the integral of u (cos φ, sin φ).
  const double omega = start.v(2);
  // Below this the divisions by ω² cost more than four of the sixteen digits.
  if (std::abs(omega) < 1e-2) return std::nullopt;
  const double s = gravity * std::sin(slope);
  const double phi0 = start.q(2);
  const double u0 = start.v(0) * std::cos(phi0) + start.v(1) * std::sin(phi0);
  const double base = u0 - (s / omega) * std::sin(phi0);  // u = base + (s/ω) sin φ

  Motion motion = motion_on(times, 3, 3, 1);
  const Index count = motion.q.cols();
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

}  // namespace rigidlimit
