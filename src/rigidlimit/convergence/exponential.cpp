#include "rigidlimit/convergence/exponential.hpp"

#include <cmath>

namespace rigidlimit {

double growth(double s, double d) {
  return s == 0.0 ? d : std::expm1(s * d) / s;
}

double rate_of(double ratio, double far, double near) {
  // e^40 between neighbouring orders is beyond any data; the clamp keeps exp() finite.
  double low = -40.0 / near, high = 40.0 / near;
  for (int i = 0; i < 100; ++i) {
    const double s = 0.5 * (low + high);
    (growth(s, far) / growth(s, near) < ratio ? low : high) = s;
  }
  return 0.5 * (low + high);
}

}  // namespace rigidlimit
