// The rolling disc with its attitude as a quaternion.
#pragma once

#include <array>
#include <cmath>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/systems/rolling/body_on_plane.hpp"

namespace rigidlimit {

/// The disc of systems/rolling/rolling_disk.hpp in q = (x, y, p0 … p3), v = (x', y', Ω), Ω in the
/// body's frame, whose second axis is the axle. With R = R(p), the axle a = R e₂, γ = Rᵀe₃ and ρ =
/// √(γ1² + γ3²) = cos(tilt), the heading is a × e₃/ρ, and
///
///   h(γ) = r ρ,   I = κ m r² diag(½, 1, ½),   M, F: systems/rolling/body_on_plane.hpp
///   G v: the sliding of the contact point along the heading and to the left of it
///
/// Euler angles to quaternion: R = R_z(yaw) R_x(tilt) R_y(spin). Both descriptions are singular
/// where the disc lies flat.
struct RollingDiskQuaternion {
  static constexpr int nq = 6, n = 5, m = 2;

  double mass = 1.0;         ///< m, kg
  double radius = 0.5;       ///< r, m
  double axial_ratio = 0.5;  ///< κ = I/(m r²): ½ homogeneous disc, 1 hoop
  double gravity = 9.81;     ///< g, m/s²

  static const SystemInfo& info();
  static std::array<Parameter<RollingDiskQuaternion>, 4> parameters();
  InitialState start() const;

  template <class S>
  Support<S> support(const Matrix<S, 3, 3>& R) const {
    using std::sqrt;
    const Vector<S, 3> up = R.row(2);
    const S rho = sqrt(up(0) * up(0) + up(2) * up(2));
    const Vector<S, 3> flat(up(0) / rho, S(0), up(2) / rho);
    Matrix<S, 3, 3> curvature = -flat * flat.transpose();
    curvature(0, 0) += S(1);
    curvature(2, 2) += S(1);
    return {up, radius * rho, S(radius) * flat, (radius / rho) * curvature};
  }

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>& q) const {
    return body(q).mass_matrix();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    return body(q).force(v.template tail<3>(), gravity);
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return (mass * gravity) * support<S>(rotation<S>(q.template tail<4>())).height;
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::sqrt;
    const Matrix<S, 3, 3> R = rotation<S>(q.template tail<4>());
    const S length = sqrt(R(0, 1) * R(0, 1) + R(1, 1) * R(1, 1));
    const S c = R(1, 1) / length, s = -R(0, 1) / length;  // of the yaw: heading = axle × e₃
    Matrix<S, 2, 2> turn;
    turn << c, s, -s, c;
    return turn * horizontal_sliding<S>(R, support(R).arm);
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

 private:
  template <class S>
  BodyOnPlane<S> body(const Vector<S, nq>& q) const {
    const double axial = axial_ratio * mass * radius * radius;
    const Eigen::Vector3d moments(0.5 * axial, axial, 0.5 * axial);
    return {support<S>(rotation<S>(q.template tail<4>())), mass,
            Eigen::Matrix3d(moments.asDiagonal())};
  }
};

}  // namespace rigidlimit
