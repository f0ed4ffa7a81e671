#include <cmath>

#include "rigidlimit/systems/closed_forms.hpp"
#include "rigidlimit/systems/rolling/rippled.hpp"

namespace rigidlimit {

std::optional<Motion> belt_roller_motion(const std::vector<double>& values,
                                         const InitialState& start,
                                         const std::vector<double>& times) {
  const auto [mass, radius, inertia_ratio, load, lower_speed, lower_ripple, upper_speed,
              upper_ripple, frequency] = unpacked<9>(values);
  const double inertia = inertia_ratio * mass * radius * radius;
  // v = ½ (lower + upper), ½ (upper − lower)/r.
  const Rippled centre{0.5 * (lower_speed + upper_speed), 0.5 * (lower_ripple + upper_ripple),
                       frequency};
  const Rippled turning{0.5 * (upper_speed - lower_speed) / radius,
                        0.5 * (upper_ripple - lower_ripple) / radius, frequency};

  Motion motion = motion_on(times, 2, 2, 2);
  for (Index k = 0; k < motion.q.cols(); ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    motion.q.col(k) << start.q(0) + centre.integrated(t), start.q(1) + turning.integrated(t);
    motion.v.col(k) << centre.at(t), turning.at(t);
    const double sum = load - mass * centre.rate(t),
                 difference = inertia * turning.rate(t) / radius;
    motion.lambda.col(k) << 0.5 * (sum + difference), 0.5 * (sum - difference);
  }
  return motion;
}

}  // namespace rigidlimit
