// A rigid body in its vertical plane.
#pragma once

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// Coordinates q = (x, z, φ), v = q': centre of mass with z upwards, and the angle of the body. For
/// any contacts
///
///   M = diag(m, m, J),   F = (0, −m g, 0),   P = m g z
struct PlanarBody {
  double mass;     ///< m, kg
  double inertia;  ///< J about the centre of mass, kg m²
  double gravity;  ///< g, m/s²

  template <class S>
  Matrix<S, 3, 3> mass_matrix() const {
    return Vector<S, 3>(S(mass), S(mass), S(inertia)).asDiagonal();
  }

  template <class S>
  Vector<S, 3> force() const {
    return {S(0), S(-mass * gravity), S(0)};
  }

  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return (mass * gravity) * q(1);
  }
};

}  // namespace rigidlimit
