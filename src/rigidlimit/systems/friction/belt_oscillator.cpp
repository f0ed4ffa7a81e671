#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "rigidlimit/core/bracketed_root.hpp"
#include "rigidlimit/systems/closed_forms.hpp"

namespace rigidlimit {

namespace {

/// A slip of the block: x about `centre`, m x'' + c x' + k x = μ m g (1 + weakening (x' − u)).
struct Slip {
  double centre, x0, v0, decay, omega;  ///< x − centre and x' at the start; s = time since then

  double position(double s) const {
    return centre +
           std::exp(-decay * s) * (x0 * std::cos(omega * s) + side() * std::sin(omega * s));
  }
  double speed(double s) const {
    return std::exp(-decay * s) *
           (v0 * std::cos(omega * s) - (omega * x0 + decay * side()) * std::sin(omega * s));
  }
  double side() const { return (v0 + decay * x0) / omega; }

  /// When the block reaches the speed v0 of the belt again; infinity: never. x' swings once about
  /// zero between, and is at its largest a turn after its first zero at the latest.
  double end() const {
    if (decay >= 0.0) return std::numeric_limits<double>::infinity();
    const double turn = 2.0 * std::numbers::pi / omega;
    const auto slower = [&](double s) { return speed(s) - v0; };
    const double low = 0.5 * turn;
    double high = low;
    while (slower(high) < 0.0) high += 0.01 * turn;
    if (!(slower(high) >= 0.0)) return std::numeric_limits<double>::infinity();  // overflow
    if (high == low) return low;
    return bracketed_root(slower, std::max(low, high - 0.01 * turn), high).high;
  }
};

}  // namespace

std::optional<KnownHistory> belt_oscillator_history(const std::vector<double>& values,
                                                    const InitialState& start,
                                                    const std::vector<double>& times) {
  const auto [mass, stiffness, damping, belt, ripple, frequency, gravity, friction, weakening] =
      unpacked<9>(values);
  const double weight = mass * gravity, bound = friction * weight;
  const double decay = 0.5 * (damping - bound * weakening) / mass;
  const double squared = stiffness / mass - decay * decay;
  const double still = damping * belt;  // of the damper, while the block sticks
  double x = start.q(0);
  if (ripple != 0.0 || belt <= 0.0 || start.v(0) != belt || squared <= 0.0 || decay == 0.0 ||
      std::abs(stiffness * x + still) >= bound)
    return std::nullopt;

  KnownHistory history{motion_on(times, 1, 1, 2), {}};
  const double last = times.empty() ? 0.0 : times.back();
  Index k = 0;
  const auto next_before = [&](double t) {
    return k < history.motion.q.cols() && times[static_cast<std::size_t>(k)] < t;
  };
  for (double t = 0.0; t <= last;) {
    const double slips = t + ((bound - still) / stiffness - x) / belt;
    for (; next_before(slips); ++k) {
      const double at = x + belt * (times[static_cast<std::size_t>(k)] - t);
      history.motion.q(0, k) = at;
      history.motion.v(0, k) = belt;
      history.motion.lambda.col(k) << -stiffness * at - still, weight;
    }
    if (slips > last) break;
    history.event_times.push_back(slips);
    const double centre = bound * (1.0 - weakening * belt) / stiffness;
    const Slip slip{centre, (bound - still) / stiffness - centre, belt, decay, std::sqrt(squared)};
    const double lasts = slip.end();
    for (; next_before(slips + lasts); ++k) {
      const double s = times[static_cast<std::size_t>(k)] - slips, speed = slip.speed(s);
      const double p = weight * (1.0 + weakening * (speed - belt));
      history.motion.q(0, k) = slip.position(s);
      history.motion.v(0, k) = speed;
      history.motion.lambda.col(k) << -friction * p, p;
    }
    t = slips + lasts;
    if (t > last) break;
    history.event_times.push_back(t);
    x = slip.position(lasts);
    if (std::abs(stiffness * x + still) >= bound) return std::nullopt;
  }
  return history;
}

}  // namespace rigidlimit
