// A wheel on a ring, with an exact constraint and in the angle.
#pragma once

#include <cmath>

#include "rigidlimit/mechanics/system.hpp"

namespace rigidlimit::test {

/// A wheel (mass m, inertia J, radius r). Its axle (x, y) moves on a circle of radius l, its rim
/// rolls on a track along the circle: q = (x, y, φ), v = q', gravity along −y,
///
///   E = (x, y, 0),   e = ½ (x² + y² − l²),   G = (−y/l, x/l, −r).
///
/// `radial` = 0 removes the mass across the circle: M is singular there, the motion is the same.
/// `Restored`: e is declared as an invariant.
template <bool Restored>
struct WheelOnARing {
  static constexpr int nq = 3, n = 3, m = 1;
  double mass = 1.3, inertia = 0.2, radius = 0.3, length = 0.8, gravity = 9.81, radial = 1.0;

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>& q) const {
    const S x = q(0) / length, y = q(1) / length;
    Matrix<S, n, n> M = Matrix<S, n, n>::Zero();
    M(0, 0) = mass * (y * y + radial * x * x);
    M(1, 1) = mass * (x * x + radial * y * y);
    M(0, 1) = M(1, 0) = mass * (radial - 1.0) * x * y;
    M(2, 2) = S(inertia);
    return M;
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return {S(0), S(-mass * gravity), S(0)};
  }
  template <class S>
  Matrix<S, 1, n> exact_constraint(const Vector<S, nq>& q) const {
    return Matrix<S, 1, n>(q(0), q(1), S(0));
  }
  template <class S>
  Vector<S, 1> invariants(const Vector<S, nq>& q) const requires Restored {
    return Vector<S, 1>(S(0.5 * (q(0) * q(0) + q(1) * q(1) - length * length)));
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    return Matrix<S, m, n>(-q(1) / length, q(0) / length, S(-radius));
  }
};

/// The wheel in q = (θ, φ), (x, y) = l (cos θ, sin θ): M = diag(m l², J), G = (l, −r).
struct WheelByAngle {
  static constexpr int nq = 2, n = 2, m = 1;
  double mass = 1.3, inertia = 0.2, radius = 0.3, length = 0.8, gravity = 9.81;

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Vector<S, n>(S(mass * length * length), S(inertia)).asDiagonal();
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>& q, const Vector<S, n>&) const {
    using std::cos;
    return {S(-mass * gravity * length * cos(q(0))), S(0)};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(length), S(-radius));
  }

  /// (x, y, φ), its velocity, and its acceleration for (θ, φ)'' = a.
  Eigen::Vector3d position(const VectorXd& q) const {
    return {length * std::cos(q(0)), length * std::sin(q(0)), q(1)};
  }
  Eigen::Vector3d velocity(const VectorXd& q, const VectorXd& v) const {
    return {-length * std::sin(q(0)) * v(0), length * std::cos(q(0)) * v(0), v(1)};
  }
  Eigen::Vector3d acceleration(const VectorXd& q, const VectorXd& v, const VectorXd& a) const {
    const double c = length * std::cos(q(0)), s = length * std::sin(q(0));
    return {-s * a(0) - c * v(0) * v(0), c * a(0) - s * v(0) * v(0), a(1)};
  }
};

}  // namespace rigidlimit::test
