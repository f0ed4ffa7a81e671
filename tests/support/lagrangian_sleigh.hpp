// The Chaplygin sleigh as a Lagrangian, independent of the catalogue's.
#pragma once

#include <cmath>

#include "rigidlimit/mechanics/system.hpp"

namespace rigidlimit::test {

/// K* = ½ m |d/dt (x + a cos φ, y + a sin φ)|² + ½ J φ'²: the kinetic co-energy of the centre of
/// mass and about it, not expanded by hand. q = (x, y, φ) of the blade.
struct LagrangianSleigh {
  static constexpr int nq = 3, n = 3, m = 1;
  double mass, inertia, distance;

  template <class S>
  S kinetic_coenergy(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    using std::cos, std::sin;
    const S centre_x = v(0) - distance * sin(q(2)) * v(2);
    const S centre_y = v(1) + distance * cos(q(2)) * v(2);
    return 0.5 * mass * (centre_x * centre_x + centre_y * centre_y) + 0.5 * inertia * v(2) * v(2);
  }
  template <class S>
  S potential(const Vector<S, nq>&) const {
    return S(0);
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    return Matrix<S, m, n>(-sin(q(2)), cos(q(2)), S(0));
  }
};

}  // namespace rigidlimit::test
