#include <cmath>

#include "rigidlimit/systems/closed_forms.hpp"
#include "rigidlimit/systems/rolling/rippled.hpp"

namespace rigidlimit {

std::optional<Motion> driven_bearing_motion(const std::vector<double>& values,
                                            const InitialState& start,
                                            const std::vector<double>& times) {
  const auto [inner_radius, roller_radius, outer_inertia, carrier_inertia, roller_mass,
              roller_inertia, load_torque, inner_speed, inner_ripple, frequency] =
      unpacked<10>(values);
  constexpr double rollers = 6.0;
  const double carrier_radius = inner_radius + roller_radius;
  const double outer_radius = inner_radius + 2.0 * roller_radius;
  const double cage = carrier_inertia + rollers * roller_mass * carrier_radius * carrier_radius;
  // carrier' = a outer' + a_i inner, roller' = b outer' − b_i inner.
  const double a = 0.5 * outer_radius / carrier_radius, a_i = 0.5 * inner_radius / carrier_radius;
  const double b = 0.5 * outer_radius / roller_radius, b_i = 0.5 * inner_radius / roller_radius;
  const double J = outer_inertia + cage * a * a + rollers * roller_inertia * b * b;
  const double coupling = cage * a * a_i - rollers * roller_inertia * b * b_i;
  const Rippled inner{inner_speed, inner_ripple, frequency};

  Motion motion = motion_on(times, 8, 8, 12);
  for (Index k = 0; k < motion.q.cols(); ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    // J outer'' = −load − coupling inner'.
    const double change = inner.at(t) - inner.at(0.0), turned = inner.integrated(t);
    const double rate = (-load_torque - coupling * inner.rate(t)) / J;
    const double speed = start.v(0) + (-load_torque * t - coupling * change) / J;
    const double angle =
        start.v(0) * t + (-0.5 * load_torque * t * t - coupling * (turned - inner.at(0.0) * t)) / J;
    motion.q.col(k) = start.q;
    motion.q(0, k) += angle;
    motion.q(1, k) += a * angle + a_i * turned;
    motion.q.col(k).tail(6).array() += b * angle - b_i * turned;
    motion.v.col(k).setConstant(b * speed - b_i * inner.at(t));
    motion.v.col(k).head(2) << speed, a * speed + a_i * inner.at(t);
    const double at_outer = (outer_inertia * rate + load_torque) / (rollers * outer_radius);
    const double roller_rate = b * rate - b_i * inner.rate(t);
    motion.lambda.col(k).head(6).setConstant(at_outer +
                                             roller_inertia * roller_rate / roller_radius);
    motion.lambda.col(k).tail(6).setConstant(at_outer);
  }
  return motion;
}

}  // namespace rigidlimit
