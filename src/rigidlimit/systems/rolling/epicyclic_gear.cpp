#include "rigidlimit/systems/closed_forms.hpp"

#include "rigidlimit/systems/rolling/rippled.hpp"

namespace rigidlimit {

std::optional<Motion> epicyclic_gear_motion(const std::vector<double>& values,
                                            const InitialState& start,
                                            const std::vector<double>& times) {
  const auto [sun_radius, planet_radius, sun_inertia, carrier_inertia, planet_mass, planet_inertia,
              drive_torque, drive_ripple, ripple_frequency, load_torque] = unpacked<10>(values);
  const double carrier_radius = sun_radius + planet_radius;
  // One degree of freedom: v = sun' · ratio, J sun'' = τ(t) − load carrier_ratio.
  const double carrier_ratio = sun_radius / (2.0 * carrier_radius);
  const double planet_ratio = -sun_radius / (2.0 * planet_radius);
  Vector<double, 5> ratio;
  ratio << 1.0, carrier_ratio, planet_ratio, planet_ratio, planet_ratio;
  Vector<double, 5> M;  // its diagonal
  M << sun_inertia, carrier_inertia + 3.0 * planet_mass * carrier_radius * carrier_radius,
      planet_inertia, planet_inertia, planet_inertia;
  const double J = ratio.dot(M.cwiseProduct(ratio));
  const Rippled torque{drive_torque - load_torque * carrier_ratio, drive_ripple, ripple_frequency};
  const Rippled drive{drive_torque, drive_ripple, ripple_frequency};

  Motion motion = motion_on(times, 5, 5, 6);
  const Index count = motion.q.cols();
  for (Index k = 0; k < count; ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    motion.q.col(k) = start.q + start.v * t + ratio * (torque.twice_integrated(t) / J);
    motion.v.col(k) = start.v + ratio * (torque.integrated(t) / J);
    const double sun_rate = torque.at(t) / J;
    const double at_sun = (sun_inertia * sun_rate - drive.at(t)) / (3.0 * sun_radius);
    const double at_ring = at_sun - planet_inertia * planet_ratio * sun_rate / planet_radius;
    motion.lambda.col(k) << at_sun, at_sun, at_sun, at_ring, at_ring, at_ring;
  }
  return motion;
}

}  // namespace rigidlimit
