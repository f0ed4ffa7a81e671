// A knife edge (skate) on an inclined plane.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// q = (x, y, φ): centre of mass, x down the slope, and heading; v = q'.
///
///   M = diag(m, m, J),   F = (m g sin α, 0, 0),   G = (−sin φ, cos φ, 0)
///
/// The blade sits under the centre of mass: G v is its sliding velocity to the left of the
/// heading, −Λ the lateral force on the body, A = 1/m. Closed form: docs/theory.md, section 8.
struct KnifeEdge {
  static constexpr int nq = 3, n = 3, m = 1;

  double mass = 1.0;      ///< m, kg
  double inertia = 0.5;   ///< J about the vertical through the centre of mass, kg m²
  double slope = 0.3;     ///< α, rad
  double gravity = 9.81;  ///< g, m/s²

  static const SystemInfo& info();
  static std::array<Parameter<KnifeEdge>, 4> parameters();

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Vector<S, n>(S(mass), S(mass), S(inertia)).asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return {S(mass * downhill()), S(0), S(0)};
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    return Matrix<S, m, n>(-sin(q(2)), cos(q(2)), S(0));
  }

  /// u = (forward speed cos φ x' + sin φ y', turning rate φ').
  template <class S>
  Matrix<S, n - m, n> quasi_velocities(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    Matrix<S, n - m, n> rows;
    rows << cos(q(2)), sin(q(2)), S(0),  //
        S(0), S(0), S(1);
    return rows;
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return -(mass * downhill()) * q(0);
  }

  /// The rigid motion, exact to round-off. Needs a consistent velocity. Returns std::nullopt for
  /// turning rates so slow that the formula loses digits.
  std::optional<Motion> closed_form(const InitialState& start,
                                    const std::vector<double>& times) const;

  double downhill() const;  ///< g sin α, m/s²
};

}  // namespace rigidlimit
