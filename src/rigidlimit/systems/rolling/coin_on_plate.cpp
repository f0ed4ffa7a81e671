#include <cmath>

#include "rigidlimit/systems/closed_forms.hpp"

namespace rigidlimit {

std::optional<Motion> coin_on_plate_motion(const std::vector<double>& values,
                                           const InitialState& start,
                                           const std::vector<double>& times) {
  const auto [mass, radius, axial_ratio, acceleration] = unpacked<4>(values);
  // In the frame of the plate: a slope with the downhill acceleration −a.
  constexpr double upright = 1.57079632679489661923;
  const double slope = std::copysign(upright, -acceleration);  // its sine is ±1
  std::optional<Motion> motion =
      rolling_coin_motion({mass, radius, axial_ratio, slope, std::abs(acceleration)}, start, times);
  if (!motion) return motion;
  for (Index k = 0; k < motion->q.cols(); ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    motion->q(0, k) += 0.5 * acceleration * t * t;
    motion->v(0, k) += acceleration * t;
  }
  return motion;
}

}  // namespace rigidlimit
