// A disc as a rigid body in space, from rotation matrices: reference for a system's formulas.
#pragma once

#include <cmath>

#include "support/derivative.hpp"

namespace rigidlimit::test {

/// The position of the material point `body` of a disc of radius r, q = (x, y, yaw, tilt, spin).
/// The disc stands on the plane z = 0, its centre above (x, y). In the body frame the axle is e₂.
///
///   position = (x, y, r cos tilt) + R_z(yaw) R_x(tilt) R_y(spin) body
template <class S>
Vector<S, 3> material_point(const Vector<S, 5>& q, double radius, const Eigen::Vector3d& body) {
  using std::cos, std::sin;
  const S cy = cos(q(2)), sy = sin(q(2)), ct = cos(q(3)), st = sin(q(3)), cs = cos(q(4)),
          ss = sin(q(4));
  const Vector<S, 3> spun(cs * body(0) + ss * body(2), S(body(1)), -ss * body(0) + cs * body(2));
  const Vector<S, 3> tilted(spun(0), ct * spun(1) - st * spun(2), st * spun(1) + ct * spun(2));
  const Vector<S, 3> turned(cy * tilted(0) - sy * tilted(1), sy * tilted(0) + cy * tilted(1),
                            tilted(2));
  return Vector<S, 3>(q(0), q(1), radius * ct) + turned;
}

/// Its velocity at q' = v, by differentiation.
inline Eigen::Vector3d material_velocity(const Vector<double, 5>& q, const Vector<double, 5>& v,
                                         double radius, const Eigen::Vector3d& body) {
  return derivatives(material_point(along(q, v), radius, body)).col(0);
}

/// The body point in contact with the plane at q: (0, 0, −r) rotated back by the spin.
inline Eigen::Vector3d contact_in_body(const Vector<double, 5>& q, double radius) {
  return {radius * std::sin(q(4)), 0.0, -radius * std::cos(q(4))};
}

}  // namespace rigidlimit::test
