// A wheel that rolls or slips on an incline.
#pragma once

#include <array>
#include <optional>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/systems/friction/uniform_pieces.hpp"

namespace rigidlimit {

/// q = (x, φ): path of the centre down the slope and angle of rotation, positive when the wheel
/// rolls down; v = q'. With κ = J/(m r²) and a drag b on the centre
///
///   M = diag(m, κ m r²),   F = (m g sin α − b x', 0),   G = (1, −r)
///
/// G v is the velocity of the rim's lowest point down the slope, −Λ the friction force on the wheel
/// in that direction: Λ = κ m x'', and (1 + κ) m x'' = m g sin α − b x'. In docs/theory.md, section
/// 8, b = 0: then Λ is constant, and after the layer the compliant wheel has the velocity and force
/// of the rigid one for every ε. With drag they differ by ε².
///
/// With Coulomb friction, the normal force N = m g cos α given, s = g sin α and b = 0
///
///   slipping   x'' = s ∓ μ N/m,  r φ'' = ±μ N/(κ m),  w' = s ∓ μ (N/m)(1 + κ)/κ,  ± = sign w
///   rolling    x'' = r φ'' = s/(1 + κ),  λ = m s κ/(1 + κ):  needs |λ| ≤ μ N,
///              that is μ ≥ |tan α| κ/(1 + κ)
///
/// A slipping wheel begins to roll at w = 0 if it can. Otherwise it continues to slip, or slips
/// back, in the direction of w' (Souchet, κ = ½; docs/theory.md, section 10: with b = 0 t* = 0.2421
/// s from the sliding start).
///
/// systems/friction/wheel_euler.hpp is the same wheel in other coordinates.
struct Wheel {
  static constexpr int nq = 2, n = 2, m = 1;

  double mass = 1.0;         ///< m, kg
  double radius = 0.25;      ///< r, m
  double axial_ratio = 0.5;  ///< κ = J/(m r²): ½ homogeneous disc, 1 hoop
  double slope = 0.3;        ///< α, rad
  double gravity = 9.81;     ///< g, m/s²
  double drag = 2.0;         ///< b, N s/m
  double friction = 0.25;    ///< μ

  static const SystemInfo& info();
  static std::array<Parameter<Wheel>, 6> parameters();
  static std::array<Parameter<Wheel>, 1> contact_parameters();
  std::vector<ContactPoint> contacts() const;

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Vector<S, n>(S(mass), S(axial_ratio * mass * radius * radius)).asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>& v) const {
    return {S(mass * downhill()) - drag * v(0), S(0)};
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(1), S(-radius));
  }

  /// u = x', the speed of the centre.
  template <class S>
  Matrix<S, n - m, n> quasi_velocities(const Vector<S, nq>&) const {
    return Matrix<S, n - m, n>(S(1), S(0));
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return -(mass * downhill()) * q(0);
  }

  template <class S>
  Vector<S, 1> gap(const Vector<S, nq>&) const {
    return Vector<S, 1>(S(0));
  }

  template <class S>
  Vector<S, 1> normal_force(const Vector<S, nq>&, const Vector<S, n>&, const S&) const {
    return Vector<S, 1>(S(pressing()));
  }

  /// Rolls down at x' = 0.3 m/s.
  InitialState start() const;

  /// Slides down at 1 m/s without spin.
  InitialState sliding_start() const;

  /// The rigid motion, exact to round-off. Needs a consistent velocity.
  std::optional<Motion> closed_form(const InitialState& start,
                                    const std::vector<double>& times) const;

  /// The history of slipping and rolling, exact to round-off. Empty with drag.
  std::optional<KnownHistory> closed_history(const InitialState& start,
                                             const std::vector<double>& times) const;

  /// That history in pieces: one, or two with a change at w = 0.
  std::vector<UniformPiece> pieces(const InitialState& start) const;

  double downhill() const;  ///< g sin α, m/s²
  double pressing() const;  ///< N = m g cos α, N
};

}  // namespace rigidlimit
