#include <cmath>
#include <complex>

#include "rigidlimit/systems/closed_forms.hpp"

namespace rigidlimit {

std::optional<Motion> tilted_turntable_ball_motion(const std::vector<double>& values,
                                                   const InitialState& start,
                                                   const std::vector<double>& times) {
  const auto [mass, radius, inertia_ratio, table_rate, slope, gravity] = unpacked<6>(values);
  // Friction f gives m (x'', y'') = (m g sin α, 0) + f and J (w_x, w_y)' = r (f_y, −f_x); the row
  // differentiated gives z'' = g sin α/(1 + κ) + i ν z' for z = x + i y, ν = κ/(1 + κ) Ω.
  using Complex = std::complex<double>;
  const double downhill = gravity * std::sin(slope);
  const double nu = inertia_ratio / (1.0 + inertia_ratio) * table_rate;
  if (nu == 0.0) return std::nullopt;
  const Complex i(0.0, 1.0), z0(start.q(0), start.q(1)), rate0(start.v(0), start.v(1));
  const Complex drift = i * downhill / (inertia_ratio * table_rate);
  const Complex circling = rate0 - drift;

  Motion motion = motion_on(times, 2, 5, 2);
  for (Index k = 0; k < motion.q.cols(); ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    const double half = 0.5 * nu * t;  // ∫ e^(iνt) dt = t sinc(νt/2) e^(iνt/2)
    const double way = half == 0.0 ? t : t * std::sin(half) / half;
    const Complex z = z0 + drift * t + circling * way * std::polar(1.0, half);
    const Complex rate = drift + circling * std::polar(1.0, nu * t);
    const Complex force = mass * (downhill - i * nu * (rate - drift));  // Λ = m (g sin α − z'')
    motion.q.col(k) << z.real(), z.imag();
    motion.v.col(k) << rate.real(), rate.imag(), (table_rate * z.real() - rate.imag()) / radius,
        (rate.real() + table_rate * z.imag()) / radius, start.v(4);
    motion.lambda.col(k) << force.real(), force.imag();
  }
  return motion;
}

}  // namespace rigidlimit
