// A ball that slides on a table until it rolls.
#pragma once

#include <array>
#include <optional>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/systems/friction/uniform_pieces.hpp"

namespace rigidlimit {

/// A homogeneous ball on a horizontal plane: q = (x, y) of its centre, v = (x', y', ω) with the
/// angular velocity along the axes of space, z upwards. The equations do not depend on the
/// attitude. κ = J/(m r²):
/// r²):
///
///   M = diag(m, m, J, J, J),   F = 0,   N = m g given
///   W v = (x' − r ω_y,  y' + r ω_x),   one contact, two components
///
/// While it slides, the direction e = w/|w| is constant, and the centre moves on a parabola:
///
///   x'' = −μ g e,   |w|' = −μ g (1 + 1/κ),   t* = |w0| κ/((1 + κ) μ g)     2 |w0|/(7 μ g) for κ =
///   2/5
///
/// Then it rolls straight on with λ = 0.
struct SlidingSphere {
  static constexpr int nq = 2, n = 5, m = 2;

  double mass = 1.0;           ///< m, kg
  double radius = 0.1;         ///< r, m
  double inertia_ratio = 0.4;  ///< κ: 2/5 homogeneous ball, 2/3 hollow sphere
  double gravity = 9.81;       ///< g, m/s²
  double friction = 0.2;       ///< μ

  static const SystemInfo& info();
  static std::array<Parameter<SlidingSphere>, 3> parameters();
  static std::array<Parameter<SlidingSphere>, 2> contact_parameters();
  std::vector<ContactPoint> contacts() const;

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    const S J(inertia_ratio * mass * radius * radius);
    return Vector<S, n>(S(mass), S(mass), J, J, J).asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return Vector<S, n>::Zero();
  }

  template <class S>
  Matrix<S, nq, n> velocity_map(const Vector<S, nq>&) const {
    return Matrix<S, nq, n>::Identity();
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    Matrix<S, m, n> W;
    W << S(1), S(0), S(0), S(-radius), S(0),  //
        S(0), S(1), S(radius), S(0), S(0);
    return W;
  }

  template <class S>
  Vector<S, 1> gap(const Vector<S, nq>&) const {
    return Vector<S, 1>(S(0));
  }

  template <class S>
  Vector<S, 1> normal_force(const Vector<S, nq>&, const Vector<S, n>&, const S&) const {
    return Vector<S, 1>(S(mass * gravity));
  }

  /// Slides along x at 2 m/s, with a spin that curves its path to the left.
  InitialState start() const;

  /// Exact to round-off.
  std::optional<KnownHistory> closed_history(const InitialState& start,
                                             const std::vector<double>& times) const;
};

}  // namespace rigidlimit
