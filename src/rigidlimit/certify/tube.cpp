#include "rigidlimit/certify/tube.hpp"

namespace rigidlimit {

Tube Tube::around(const Tube& other) const {
  const auto of = [](const BallVector& old, const BallVector& wanted) {
    constexpr double share = 1.1, least = 1e-12;
    BallVector result = old;
    for (Index i = 0; i < old.size(); ++i)
      if (!(wanted(i).magnitude().upper() < old(i).lower()))
        result(i) = wanted(i).magnitude() * Ball(share) + Ball(least);
    return result;
  };
  return {of(rho, other.rho), of(F, other.F), of(H, other.H), of(deviation, other.deviation)};
}

bool Tube::contains(const Tube& bounds) const {
  return below(bounds.rho, rho) && below(bounds.F, F) && below(bounds.H, H) &&
         below(bounds.deviation, deviation);
}

}  // namespace rigidlimit
