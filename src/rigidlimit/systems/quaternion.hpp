// Attitudes by unit quaternions.
#pragma once

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// R(p), 3 × 3, from the body frame to the space frame, p = (p0, p1, p2, p3) with p0 the real part.
/// A rotation by an angle a about the axis e has p = (cos a/2, e sin a/2). For |p| ≠ 1 it is
/// |p|² times a rotation.
template <class S>
Matrix<S, 3, 3> rotation(const Vector<S, 4>& p) {
  const S w = p(0), x = p(1), y = p(2), z = p(3);
  Matrix<S, 3, 3> R;
  R << w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),  //
      2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x),   //
      2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z;
  return R;
}

/// B(p), 4 × 3, of p' = B(p) Ω = ½ p ∘ (0, Ω), Ω the angular velocity in the body's frame.
template <class S>
Matrix<S, 4, 3> quaternion_rates(const Vector<S, 4>& p) {
  const Vector<S, 4> half = S(0.5) * p;
  Matrix<S, 4, 3> B;
  B << -half(1), -half(2), -half(3),  //
      half(0), -half(3), half(2),     //
      half(3), half(0), -half(1),     //
      -half(2), half(1), half(0);
  return B;
}

/// [a]×, 3 × 3: [a]× b = a × b.
template <class S>
Matrix<S, 3, 3> cross_matrix(const Vector<S, 3>& a) {
  Matrix<S, 3, 3> X;
  X << S(0), -a(2), a(1), a(2), S(0), -a(0), -a(1), a(0), S(0);
  return X;
}

}  // namespace rigidlimit
