// The Chaplygin sphere: a ball with three different principal moments of inertia.
#pragma once

#include <array>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/systems/rolling/body_on_plane.hpp"

namespace rigidlimit {

/// q = (x, y, p0 … p3): centre and attitude quaternion; v = (x', y', Ω), Ω in the body's frame of
/// principal axes. The centre of mass is that of the ball. With I = diag(I1, I2, I3), ω = R(p) Ω
///
///   M = diag(m, m, I1, I2, I3),   F = (0, 0, (IΩ) × Ω)
///   G v = (x' − r ω_y,  y' + r ω_x)                       sliding of the contact point in space
///
/// Invariants of rolling: the energy, and the angular momentum about the contact point, in space K
/// = R I Ω + m r² (ω − ω_z e₃), because that point moves parallel to the centre. (Chaplygin's
/// quadratures in hyperelliptic functions are not used here.)
struct ChaplyginSphere {
  static constexpr int nq = 6, n = 5, m = 2;

  double mass = 1.0;        ///< m, kg
  double radius = 0.3;      ///< r, m
  double inertia_1 = 0.02;  ///< principal moments, kg m²
  double inertia_2 = 0.03;
  double inertia_3 = 0.045;

  static const SystemInfo& info();
  static std::array<Parameter<ChaplyginSphere>, 5> parameters();
  InitialState start() const;

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    Vector<S, n> diagonal;
    diagonal << S(mass), S(mass), S(inertia_1), S(inertia_2), S(inertia_3);
    return diagonal.asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>& v) const {
    Vector<S, n> F;
    F << S(0), S(0), (inertia_2 - inertia_3) * v(3) * v(4), (inertia_3 - inertia_1) * v(4) * v(2),
        (inertia_1 - inertia_2) * v(2) * v(3);
    return F;
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    const Vector<S, 4> p = q.template tail<4>();
    const Matrix<S, 3, 3> R = rotation(p);
    Matrix<S, m, n> G;
    G << S(1), S(0), -radius * R(1, 0), -radius * R(1, 1), -radius * R(1, 2),  //
        S(0), S(1), radius * R(0, 0), radius * R(0, 1), radius * R(0, 2);
    return G;
  }

  template <class S>
  Matrix<S, nq, n> velocity_map(const Vector<S, nq>& q) const {
    return body_velocity_map<S>(q.template tail<4>());
  }

  /// |p|² − 1.
  template <class S>
  Vector<S, 1> invariants(const Vector<S, nq>& q) const {
    return Vector<S, 1>(S(q.template tail<4>().squaredNorm() - S(1)));
  }

  /// u = Ω.
  template <class S>
  Matrix<S, n - m, n> quasi_velocities(const Vector<S, nq>&) const {
    return turning_rates<S>();
  }
};

}  // namespace rigidlimit
