// A motion in two formulations: a sleigh with an angle as heading, and a sleigh with a unit vector
// as heading and an exact row.
#pragma once

#include <cmath>

#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/mechanics/system.hpp"

namespace rigidlimit::test {

/// Parameters of both: a blade at (x, y), the centre of mass at distance a ahead of it, on a slope,
/// with a drag on the blade and a couple that oscillates in time.
struct SleighNumbers {
  double mass = 1.2, inertia = 0.4, distance = 0.3, slope_force = 1.5, drag = 0.2, couple = 0.8;
};

/// q = (x, y, φ).
struct SleighByAngle : SleighNumbers {
  static constexpr int nq = 3, n = 3, m = 1;

  template <class S>
  S kinetic_coenergy(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    using std::cos, std::sin;
    const S x = v(0) - distance * sin(q(2)) * v(2), y = v(1) + distance * cos(q(2)) * v(2);
    return 0.5 * mass * (x * x + y * y) + 0.5 * inertia * v(2) * v(2);
  }
  template <class S>
  S potential(const Vector<S, nq>& q) const {
    using std::cos;
    return -slope_force * (q(0) + distance * cos(q(2)));
  }
  template <class S>
  S dissipation(const Vector<S, n>& v) const {
    return 0.5 * drag * (v(0) * v(0) + v(1) * v(1));
  }
  template <class S>
  Vector<S, n> applied_force(const Vector<S, nq>&, const Vector<S, n>&, const S& t) const {
    using std::sin;
    return {S(0), S(0), couple * sin(2.0 * t)};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    return Matrix<S, m, n>(-sin(q(2)), cos(q(2)), S(0));
  }
};

/// q = (x, y, c, s), c = cos φ, s = sin φ, with the exact row c c' + s s' = 0. The turning rate is
/// φ' = c s' − s c', so that M is singular for every q, but not on ker E.
struct SleighByDirection : SleighNumbers {
  static constexpr int nq = 4, n = 4, m = 1;

  template <class S>
  S kinetic_coenergy(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    const S x = v(0) + distance * v(2), y = v(1) + distance * v(3);
    const S turning = q(2) * v(3) - q(3) * v(2);
    return 0.5 * mass * (x * x + y * y) + 0.5 * inertia * turning * turning;
  }
  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return -slope_force * (q(0) + distance * q(2));
  }
  template <class S>
  S dissipation(const Vector<S, n>& v) const {
    return 0.5 * drag * (v(0) * v(0) + v(1) * v(1));
  }
  template <class S>
  Vector<S, n> applied_force(const Vector<S, nq>& q, const Vector<S, n>&, const S& t) const {
    using std::sin;
    const S torque = couple * sin(2.0 * t);
    return {S(0), S(0), -q(3) * torque, q(2) * torque};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    return Matrix<S, m, n>(-q(3), q(2), S(0), S(0));
  }
  template <class S>
  Matrix<S, 1, n> exact_constraint(const Vector<S, nq>& q) const {
    return Matrix<S, 1, n>(S(0), S(0), q(2), q(3));
  }
  template <class S>
  Vector<S, 1> invariants(const Vector<S, nq>& q) const {
    return Vector<S, 1>(q(2) * q(2) + q(3) * q(3) - 1.0);
  }
};

/// (x, y, c, s) of (x, y, φ), and its first variations.
inline InitialState by_direction(const InitialState& angle) {
  const double c = std::cos(angle.q(2)), s = std::sin(angle.q(2));
  InitialState state{VectorXd(4), VectorXd(4)};
  state.q << angle.q(0), angle.q(1), c, s;
  state.v << angle.v(0), angle.v(1), -s * angle.v(2), c * angle.v(2);
  return state;
}
/// The variation (q₂, v₂) of a motion, mapped in the same way.
inline InitialState by_direction(const InitialState& at, const InitialState& varied) {
  const double c = std::cos(at.q(2)), s = std::sin(at.q(2));
  const double phi2 = varied.q(2), rate = at.v(2), rate2 = varied.v(2);
  InitialState state{VectorXd(4), VectorXd(4)};
  state.q << varied.q(0), varied.q(1), -s * phi2, c * phi2;
  state.v << varied.v(0), varied.v(1), -s * rate2 - c * phi2 * rate, c * rate2 - s * phi2 * rate;
  return state;
}

}  // namespace rigidlimit::test
