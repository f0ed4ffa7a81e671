// Checks of a body on a plane against the laws of Newton and Euler, and against its shape.
#pragma once

#include <gmock/gmock.h>

#include "rigidlimit/mechanics/system.hpp"
#include "rigidlimit/systems/quaternion.hpp"
#include "support/central_difference.hpp"
#include "support/random_numbers.hpp"
#include "support/terms_by_duals.hpp"

namespace rigidlimit::test {

/// The shape of a body seen from its centre of mass, by the upward normal γ of the plane in the
/// body's frame.
template <class S>
struct Support {
  S height;          ///< h(γ), m: of the centre of mass above a plane that touches the body
  Vector<S, 3> arm;  ///< ∂h/∂γ, m: from the contact to the centre of mass
};

// `sys` of the functions below: a BuiltIn with support(R).

/// Position of the centre, and attitude with the body's top inclined by less than 0.9 rad.
inline Vector<double, 6> random_attitude(RandomNumbers& random, const Eigen::Quaterniond& upright) {
  const Eigen::Quaterniond yaw(
      Eigen::AngleAxisd(random.uniform(-3.0, 3.0), Eigen::Vector3d::UnitZ()));
  const Eigen::Vector3d lean = random.vector<3>(-0.5, 0.5);
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(lean.norm(), lean.normalized()));
  const Eigen::Quaterniond p = yaw * tilt * upright;
  Vector<double, 6> q;
  q << random.vector<2>(), p.w(), p.x(), p.y(), p.z();
  return q;
}

/// The height of the centre of mass at attitude p.
template <class Sys, class S>
S height_of(const Sys& sys, const Vector<S, 4>& p) {
  return sys.template support<S>(rotation(p)).height;
}

/// h'' of the height for v' = a, by second derivatives along p + p' t + ½ p'' t².
template <class Sys>
double vertical_acceleration(const Sys& sys, const Vector<double, 6>& q, const Vector<double, 5>& v,
                             const Vector<double, 5>& a) {
  using Once = Dual<double, 1>;
  using Twice = Dual<Once, 1>;
  const Vector<double, 4> p = q.tail<4>();
  const Eigen::Vector3d Omega = v.tail<3>(), Omega_rate = a.tail<3>();
  const Vector<double, 4> rate = quaternion_rates(p) * Omega;
  const Vector<double, 4> second =
      quaternion_rates(rate) * Omega + quaternion_rates(p) * Omega_rate;
  Vector<Twice, 4> moving;
  for (int i = 0; i < 4; ++i) {
    moving(i).value = Once(p(i));
    moving(i).value.derivative[0] = rate(i);
    moving(i).derivative[0] = Once(rate(i));
    moving(i).derivative[0].derivative[0] = second(i);
  }
  return height_of(sys, moving).derivative[0].derivative[0];
}

/// The residual of Newton's and Euler's laws at (q, v, v' = a) for the horizontal contact force
/// `friction`. The normal force follows from h''.
template <class Sys>
double newton_euler_residual(const Sys& sys, const Eigen::Matrix3d& inertia,
                             const Vector<double, 6>& q, const Vector<double, 5>& v,
                             const Vector<double, 5>& a, const Eigen::Vector2d& friction) {
  const Eigen::Matrix3d R = rotation<double>(q.tail<4>());
  const Eigen::Vector3d Omega = v.tail<3>(), Omega_rate = a.tail<3>();
  const double normal = sys("mass") * (sys("gravity") + vertical_acceleration(sys, q, v, a));
  const Eigen::Vector3d f(friction(0), friction(1), normal);
  const Eigen::Vector3d to_contact = -(R * sys.template support<double>(R).arm);
  const Eigen::Vector3d turned = R * (inertia * Omega_rate + Omega.cross(inertia * Omega));
  return (sys("mass") * a.head<2>() - friction).norm() + (turned - to_contact.cross(f)).norm();
}

/// The velocity of the material point that touches the plane, by differentiation along the motion.
template <class Sys>
Eigen::Vector3d contact_velocity(const Sys& sys, const Vector<double, 6>& q,
                                 const Vector<double, 5>& v) {
  const Vector<double, 4> p = q.tail<4>();
  const Vector<double, 4> rate = quaternion_rates(p) * Eigen::Vector3d(v.tail<3>());
  const Eigen::Vector3d body = -sys.template support<double>(rotation(p)).arm;
  const Matrix<Dual<double, 1>, 3, 3> R = rotation(along(p, rate));
  Eigen::Vector3d velocity(v(0), v(1), height_of(sys, along(p, rate)).derivative[0]);
  for (int k = 0; k < 9; ++k) velocity(k % 3) += R(k).derivative[0] * body(k / 3);
  return velocity;
}

/// The depth of the point `body` (relative to the centre of mass) below the plane.
template <class Sys>
double depth_below_plane(const Sys& sys, const Vector<double, 6>& q, const Eigen::Vector3d& body) {
  const Eigen::Matrix3d R = rotation<double>(q.tail<4>());
  return -(sys.template support<double>(R).height + (R * body)(2));
}

}  // namespace rigidlimit::test
