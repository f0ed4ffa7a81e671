// A convex rigid body of any shape, held in contact by a horizontal plane.
#pragma once

#include "rigidlimit/systems/quaternion.hpp"

namespace rigidlimit {

/// The shape of a body seen from its centre of mass, by its support function h(γ), which is
/// homogeneous of degree 1: h is the height of the centre of mass above a plane that touches the
/// body from below, γ = Rᵀe₃ the upward normal in the body's frame. The contact point is at −p.
template <class S>
struct Support {
  Vector<S, 3> up;            ///< γ
  S height;                   ///< h(γ), m
  Vector<S, 3> arm;           ///< p = ∂h/∂γ, m: from the contact to the centre of mass
  Matrix<S, 3, 3> curvature;  ///< ∂²h/∂γ², m
};

/// The body's equations in q = (x, y, p0 … p3), v = (x', y', Ω): horizontal position of the centre
/// of mass, attitude, angular velocity in the body's frame. Its height z = h(γ) is eliminated.
///
///   z' = h'(γ) = N·Ω,   N = p × γ                   because γ' = γ × Ω
///   M = diag(m, m, I + m N Nᵀ)
///   F = (0, 0, (IΩ) × Ω − m N (g + N'·Ω)),   N' = (∂²h γ') × γ + p × γ'
///
/// Derivation: the normal force m (g + z'') acts at the contact, with the moment −N about the
/// centre of mass: Newton's law for z put into Euler's for Ω.
template <class S>
class BodyOnPlane {
 public:
  BodyOnPlane(const Support<S>& support, double mass, const Eigen::Matrix3d& inertia)
      : support_(support),
        mass_(mass),
        inertia_(inertia.cast<S>()),
        normal_(support.arm.cross(support.up)) {}

  Matrix<S, 5, 5> mass_matrix() const {
    Matrix<S, 5, 5> M = Matrix<S, 5, 5>::Zero();
    M(0, 0) = M(1, 1) = S(mass_);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        M(2 + i, 2 + k) = inertia_(i, k) + mass_ * normal_(i) * normal_(k);
    return M;
  }

  Vector<S, 5> force(const Vector<S, 3>& Omega, double gravity) const {
    const Vector<S, 3> up_rate = support_.up.cross(Omega);
    const Vector<S, 3> arm_rate = support_.curvature * up_rate;
    const Vector<S, 3> normal_rate = arm_rate.cross(support_.up) + support_.arm.cross(up_rate);
    const S normal_force = mass_ * (gravity + normal_rate.dot(Omega));
    const Vector<S, 3> momentum = inertia_ * Omega;
    Vector<S, 5> F;
    F << S(0), S(0), momentum.cross(Omega) - normal_ * normal_force;
    return F;
  }

 private:
  Support<S> support_;
  double mass_;
  Matrix<S, 3, 3> inertia_;
  Vector<S, 3> normal_;  ///< N
};

/// The horizontal velocity of the contact point of a body on a plane, 2 × 5, in the space
/// directions x and y: (x', y') + [R (p × Ω)]_xy.
template <class S>
Matrix<S, 2, 5> horizontal_sliding(const Matrix<S, 3, 3>& R, const Vector<S, 3>& arm) {
  const Matrix<S, 3, 3> turning = R * cross_matrix(arm);
  Matrix<S, 2, 5> G;
  G << S(1), S(0), turning(0, 0), turning(0, 1), turning(0, 2),  //
      S(0), S(1), turning(1, 0), turning(1, 1), turning(1, 2);
  return G;
}

/// T, 6 × 5, of q' = T v.
template <class S>
Matrix<S, 6, 5> body_velocity_map(const Vector<S, 4>& p) {
  Matrix<S, 6, 5> T = Matrix<S, 6, 5>::Zero();
  T(0, 0) = T(1, 1) = S(1);
  T.template bottomRightCorner<4, 3>() = quaternion_rates(p);
  return T;
}

/// S, 3 × 5: u = Ω, a complement of every G above.
template <class S>
Matrix<S, 3, 5> turning_rates() {
  Matrix<S, 3, 5> rows = Matrix<S, 3, 5>::Zero();
  rows(0, 2) = rows(1, 3) = rows(2, 4) = S(1);
  return rows;
}

}  // namespace rigidlimit
