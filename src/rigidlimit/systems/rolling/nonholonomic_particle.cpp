#include "rigidlimit/systems/rolling/nonholonomic_particle.hpp"

#include <cmath>

#include "rigidlimit/systems/closed_forms.hpp"
#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& NonholonomicParticle::info() {
  static const SystemInfo info{
      .name = "nonholonomic_particle",
      .title = "Particle in space with y' = z x'",
      .equations =
          "q = (x, y, z), v = q' with the unit metre for 1 in y' = z x'\n"
          "M = m I\n"
          "F = (force, 0, 0)\n"
          "G = (-z, 1, 0)\n"
          "on the constraint: z'' = 0, (sqrt(1 + z^2) x')' = (force/m)/sqrt(1 + z^2)",
      .source =
          "Rosenberg, Analytical Dynamics of Discrete Systems (1977); Bates and Sniatycki "
          "(1993); docs/theory.md, section 8",
      .closed_form = "q, v and Lambda by square roots and asinh for z' != 0",
      .coordinates = {{"x", "m"}, {"y", "m"}, {"z", "m"}},
      .velocities = {{"x'", "m/s"}, {"y'", "m/s"}, {"z'", "m/s"}},
      .contacts = {{"velocity out of the plane field", "m/s"}},
      .initial_q = {0.0, 0.0, 0.5},
      .initial_v = {0.8, 0.4, 1.2}};
  return info;
}

std::array<Parameter<NonholonomicParticle>, 2> NonholonomicParticle::parameters() {
  return {{{"mass", &NonholonomicParticle::mass, "kg", "mass of the particle", positive},
           {"force", &NonholonomicParticle::force_x, "N", "constant force along x"}}};
}

std::optional<Motion> NonholonomicParticle::closed_form(const InitialState& start,
                                                        const std::vector<double>& times) const {
  // With a = asinh z, so that z' dt = cosh a da, and k = f/(m z'):
  //   c = c0 + k (a − a0),   x' = c/cosh a,   y' = c tanh a,
  //   z' (x − x0) = ∫c da = c0 Δa + ½ k Δa²
  //   z' (y − y0) = ∫c sinh a da = [c cosh a − k sinh a]
  const double z_rate = start.v(2);
  // Below this the divisions by z'² cost more than four of the sixteen digits.
  if (std::abs(z_rate) < 1e-2) return std::nullopt;
  const double z0 = start.q(2), root0 = std::hypot(1.0, z0), a0 = std::asinh(z0);
  const double c0 = root0 * start.v(0);
  const double k = force_x / (mass * z_rate);

  Motion motion = motion_on(times, nq, n, m);
  const Index count = motion.q.cols();
  for (Index i = 0; i < count; ++i) {
    const double t = times[static_cast<std::size_t>(i)];
    const double z = z0 + z_rate * t, root = std::hypot(1.0, z);
    const double step = std::asinh(z) - a0;
    const double c = c0 + k * step;
    const double dx = step * (c0 + 0.5 * k * step) / z_rate;
    const double dy = (c * root - c0 * root0) / z_rate - k * t;
    const double x_rate = c / root;
    // y'' = z' x' + z x'' with (1 + z²) x'' = f/m − z z' x'
    const double y_acceleration = (z_rate * x_rate + z * force_x / mass) / (root * root);
    motion.q.col(i) << start.q(0) + dx, start.q(1) + dy, z;
    motion.v.col(i) << x_rate, z * x_rate, z_rate;
    motion.lambda(0, i) = -mass * y_acceleration;
  }
  return motion;
}

template SystemEntry entry_of<NonholonomicParticle>();

}  // namespace rigidlimit
