#include "rigidlimit/systems/dragged_motion.hpp"

#include <cmath>

namespace rigidlimit {

namespace {

double phi1(double z) {
  return z == 0.0 ? 1.0 : -std::expm1(-z) / z;
}

/// The closed expression loses digits for small z; there the series Σ (−z)^j/(j + 2)!, whose terms
/// from the 17th on are below 1/18! = 2e-16 of the first.
double phi2(double z) {
  if (z >= 1.0) return (z + std::expm1(-z)) / (z * z);
  double term = 0.5, sum = 0.0;
  for (int j = 0; j < 18; ++j) {
    sum += term;
    term *= -z / (j + 3);
  }
  return sum;
}

}  // namespace

DraggedMotion DraggedMotion::from(const InitialState& start, double force, double drag,
                                  double inertia) {
  return {.position0 = start.q(0),
          .speed0 = start.v(0),
          .acceleration0 = (force - drag * start.v(0)) / inertia,
          .rate = drag / inertia};
}

double DraggedMotion::acceleration(double t) const {
  return acceleration0 * std::exp(-rate * t);
}
double DraggedMotion::speed(double t) const {
  return speed0 + acceleration0 * t * phi1(rate * t);
}
double DraggedMotion::position(double t) const {
  return position0 + speed0 * t + acceleration0 * t * t * phi2(rate * t);
}

}  // namespace rigidlimit
