// The rattleback (celtic stone): an ellipsoid that prefers one sense of spin.
#pragma once

#include <array>
#include <cmath>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/systems/rolling/body_on_plane.hpp"

namespace rigidlimit {

/// q = (x, y, p0 … p3), v = (x', y', Ω): centre of mass, attitude, angular velocity in the frame of
/// the ellipsoid's axes. The centre of mass lies at distance d below the centre. With γ = R(p)ᵀe₃
///
///   h(γ) = √(a²γ1² + b²γ2² + c²γ3²) − d γ3,   M, F: systems/rolling/body_on_plane.hpp
///   I = R_z(skew) diag(I1, I2, I3) R_z(skew)ᵀ
///   G v: sliding of the contact point along x and y of space
///
/// The principal axes of inertia are turned by `skew` against those of the shape, which couples
/// spin with rocking. Conserved when rolling: K* + P. Defaults: the stone of Kane and Levinson,
/// with rounded products of inertia.
struct Rattleback {
  static constexpr int nq = 6, n = 5, m = 2;

  double mass = 1.0;          ///< m, kg
  double semi_axis_a = 0.2;   ///< m
  double semi_axis_b = 0.03;  ///< m
  double semi_axis_c = 0.02;  ///< m, the one that is vertical at rest
  double depth = 0.01;        ///< d, m: of the centre of mass below the ellipsoid's centre
  double inertia_1 = 2.0e-4;  ///< principal moments through the centre of mass, kg m²
  double inertia_2 = 1.6e-3;
  double inertia_3 = 1.7e-3;
  double skew = 0.0143;   ///< rad
  double gravity = 9.81;  ///< g, m/s²

  static const SystemInfo& info();
  static std::array<Parameter<Rattleback>, 10> parameters();
  InitialState start() const;

  template <class S>
  Support<S> support(const Matrix<S, 3, 3>& R) const {
    using std::sqrt;
    const Vector<S, 3> up = R.row(2);
    const Vector<S, 3> squares(S(semi_axis_a * semi_axis_a), S(semi_axis_b * semi_axis_b),
                               S(semi_axis_c * semi_axis_c));
    const Vector<S, 3> scaled = squares.cwiseProduct(up);
    const S root = sqrt(scaled.dot(up));
    Vector<S, 3> arm = scaled / root;
    Matrix<S, 3, 3> curvature = -arm * arm.transpose();
    for (int i = 0; i < 3; ++i) curvature(i, i) += squares(i);
    arm(2) -= S(depth);
    return {up, root - depth * up(2), arm, curvature / root};
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
    const Matrix<S, 3, 3> R = rotation<S>(q.template tail<4>());
    return horizontal_sliding<S>(R, support(R).arm);
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

  /// I about the axes of the shape, kg m².
  Eigen::Matrix3d inertia() const;

  /// Rolling from a roll by `roll` about the long axis, with the spin `rate` about the vertical,
  /// counter-clockwise from above.
  InitialState spinning(double rate, double roll) const;

 private:
  template <class S>
  BodyOnPlane<S> body(const Vector<S, nq>& q) const {
    return {support<S>(rotation<S>(q.template tail<4>())), mass, inertia()};
  }
};

}  // namespace rigidlimit
