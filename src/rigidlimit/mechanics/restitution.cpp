#include "rigidlimit/mechanics/restitution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/bracketed_root.hpp"
#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

namespace {

/// −ln e for ζ ≤ 1. 1 − ζ is exact near 1, and so is the quotient of the two small numbers.
double loss_below_critical(double zeta) {
  if (zeta == 1.0) return 2.0;
  const double theta = 2.0 * std::asin(std::sqrt(0.5 * (1.0 - zeta)));
  return 2.0 * zeta * theta / std::sqrt((1.0 - zeta) * (1.0 + zeta));
}

/// e for ζ > 1: exp(−2 θ coth θ) with its large factor exp(−2θ) = (ζ + s)^(−2) extracted; s = sinh
/// θ, coth θ − 1 = 1/(s (ζ + s)).
double restitution_above_critical(double zeta) {
  const double s = std::sqrt(zeta - 1.0) * std::sqrt(zeta + 1.0);
  const double theta = 2.0 * std::asinh(std::sqrt(0.5 * (zeta - 1.0)));
  const double remainder = s > 0.0 ? theta / s / (zeta + s) : 1.0;
  return std::exp(-2.0 * remainder) / (zeta + s) / (zeta + s);
}

/// The zero of f between a and b, where f has opposite signs, to the last digits.
template <class F>
double zero_between(const F& f, double a, double b) {
  const auto [low, high] = bracketed_root(f, a, b);
  return low + 0.5 * (high - low);
}

}  // namespace

double restitution_of_damping(double damping_ratio) {
  if (!(damping_ratio >= 0.0))
    throw InputError(fmt::format("damping ratio {} is not >= 0", damping_ratio));
  if (damping_ratio <= 1.0) return std::exp(-loss_below_critical(damping_ratio));
  return restitution_above_critical(damping_ratio);
}

// In [0, 1] ζ and −ln e = ℓ satisfy 2ζ ≤ ℓ ≤ πζ. There the equation for ℓ is solved, which keeps
// the digits of a ζ near 0. Above, exp(−2) ≤ e ζ² ≤ 1/4, and the equation for e keeps those of a
// large ζ.
double damping_of_restitution(double restitution) {
  if (!(restitution > 0.0 && restitution <= 1.0))
    throw InputError(
        fmt::format("restitution {} is not in (0, 1]{}", restitution,
                    restitution == 0.0 ? ": no damping ratio gives a plastic impact" : ""));
  const double loss = -std::log(restitution);
  if (loss == 0.0) return 0.0;
  constexpr double apart = 1e-6;  // the bounds are attained at the ends
  const double critical = std::exp(-2.0);
  if (restitution == critical) return 1.0;
  if (restitution > critical) {
    const auto missing = [loss](double zeta) { return loss_below_critical(zeta) - loss; };
    constexpr double pi = 3.14159265358979323846;
    return zero_between(missing, loss / pi * (1.0 - apart),
                        std::min(1.0, 0.5 * loss * (1.0 + apart)));
  }
  const auto excess = [restitution](double zeta) {
    return restitution_above_critical(zeta) / restitution - 1.0;
  };
  const double root = 1.0 / std::sqrt(restitution);
  return zero_between(excess, std::max(1.0, std::exp(-1.0) * root * (1.0 - apart)),
                      0.5 * root * (1.0 + apart));
}

}  // namespace rigidlimit
