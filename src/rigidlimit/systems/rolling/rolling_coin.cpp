#include "rigidlimit/systems/closed_forms.hpp"

#include <cmath>

namespace rigidlimit {

std::optional<Motion> rolling_coin_motion(const std::vector<double>& values,
                                          const InitialState& start,
                                          const std::vector<double>& times) {
  const auto [mass, radius, axial_ratio, slope, gravity] = unpacked<5>(values);
  const double downhill = gravity * std::sin(slope);
  // ψ = ψ0 + ωt and u = base + (s/ω) sin ψ; the position is the integral of u (cos ψ, sin ψ), the
  // spin that of u/r.
  const double omega = start.v(2);
  // Below this the divisions by ω² cost more than four of the sixteen digits.
  if (std::abs(omega) < 1e-2) return std::nullopt;
  const double s = downhill / (1.0 + axial_ratio);
  const double psi0 = start.q(2), sin0 = std::sin(psi0), cos0 = std::cos(psi0);
  const double u0 = start.v(0) * cos0 + start.v(1) * sin0;
  const double swing = s / omega;
  const double base = u0 - swing * sin0;

  Motion motion = motion_on(times, 4, 4, 2);
  const Index count = motion.q.cols();
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
        -mass * (u * omega + downhill * sin_psi);
  }
  return motion;
}

}  // namespace rigidlimit
