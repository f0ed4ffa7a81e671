// A particle in space under one nonholonomic constraint.
#pragma once

#include <array>
#include <optional>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// q = (x, y, z), v = q', with a constant force f along x:
///
///   M = m I,   F = (f, 0, 0),   G = (−z, 1, 0)
///
/// G v = y' − z x' is the velocity with which the particle leaves its plane field. Rolling (the
/// constraint kept): z' is constant, and c = sqrt(1 + z²) x' is as well for f = 0; in general
/// c' = (f/m)/sqrt(1 + z²). Λ = −m y''.
struct NonholonomicParticle {
  static constexpr int nq = 3, n = 3, m = 1;

  double mass = 1.0;     ///< m, kg
  double force_x = 0.5;  ///< f, N

  static const SystemInfo& info();
  static std::array<Parameter<NonholonomicParticle>, 2> parameters();

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Vector<S, n>(S(mass), S(mass), S(mass)).asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return {S(force_x), S(0), S(0)};
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    return Matrix<S, m, n>(-q(2), S(1), S(0));
  }

  /// u = (x' + z y', z').
  template <class S>
  Matrix<S, n - m, n> quasi_velocities(const Vector<S, nq>& q) const {
    Matrix<S, n - m, n> rows;
    rows << S(1), q(2), S(0),  //
        S(0), S(0), S(1);
    return rows;
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return -force_x * q(0);
  }

  /// The rigid motion, exact to round-off. Needs a consistent velocity. Returns std::nullopt for z'
  /// so slow that the formula loses digits.
  std::optional<Motion> closed_form(const InitialState& start,
                                    const std::vector<double>& times) const;
};

}  // namespace rigidlimit
