// A ball on a turning table.
#pragma once

#include <array>
#include <optional>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// The equations are in the frame that turns with the table, at Ω about z through the origin. There
/// the table is at rest, and rolling is G v = 0. In an inertial frame it would be affine, G v = Ω
/// e_z × (x, y).
///
///   q = (X, Y)                            the centre, in axes fixed to the table
///   v = (X', Y', w_x, w_y, w_z),  T = (I 0)   and the angular velocity w relative to the table
///
/// The inertial angular velocity is w + Ω e_z, and components in the turning axes change by Ω e_z ×
/// as well. With J = κ m r² this gives Coriolis, centrifugal and gyroscopic terms in F:
///
///   M = diag(m, m, J, J, J)
///   F = (m (2Ω Y' + Ω² X), m (−2Ω X' + Ω² Y), J Ω w_y, −J Ω w_x, 0)
///   G v = (X' − r w_y,  Y' + r w_x)       sliding of the lowest point over the table
///
/// P = −½ m Ω² (X² + Y²), so that K* + P of the relative motion (the Jacobi integral) is conserved
/// when the ball rolls. The orientation is omitted, because the equations do not depend on it.
///
/// In an inertial frame the centre moves on a circle at the rate κ/(1 + κ) Ω, 2/7 Ω for a
/// homogeneous ball.
struct TurntableBall {
  static constexpr int nq = 2, n = 5, m = 2;

  double mass = 1.0;           ///< m, kg
  double radius = 0.1;         ///< r, m
  double inertia_ratio = 0.4;  ///< κ = J/(m r²): 2/5 homogeneous ball, 2/3 hollow sphere
  double table_rate = 3.0;     ///< Ω, rad/s

  static const SystemInfo& info();
  static std::array<Parameter<TurntableBall>, 4> parameters();

  template <class S>
  Matrix<S, nq, n> velocity_map(const Vector<S, nq>&) const {
    return Matrix<S, nq, n>::Identity();
  }

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    const S J(inertia());
    Vector<S, n> diagonal;
    diagonal << S(mass), S(mass), J, J, J;
    return diagonal.asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    const double coriolis = 2.0 * mass * table_rate;
    const double centrifugal = mass * table_rate * table_rate;
    const double gyroscopic = inertia() * table_rate;
    Vector<S, n> F;
    F << coriolis * v(1) + centrifugal * q(0), centrifugal * q(1) - coriolis * v(0),
        gyroscopic * v(3), -gyroscopic * v(2), S(0);
    return F;
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    const S r(radius);
    Matrix<S, m, n> G;
    G << S(1), S(0), S(0), -r, S(0),  //
        S(0), S(1), r, S(0), S(0);
    return G;
  }

  /// u = w, the angular velocity relative to the table.
  template <class S>
  Matrix<S, n - m, n> quasi_velocities(const Vector<S, nq>&) const {
    Matrix<S, n - m, n> rows = Matrix<S, n - m, n>::Zero();
    rows(0, 2) = rows(1, 3) = rows(2, 4) = S(1);
    return rows;
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return (-0.5 * mass * table_rate * table_rate) * (q(0) * q(0) + q(1) * q(1));
  }

  /// Half a metre off the axis, rolling slowly over the table.
  InitialState start() const;

  /// The rigid motion, exact to round-off. Needs a consistent velocity.
  std::optional<Motion> closed_form(const InitialState& start,
                                    const std::vector<double>& times) const;

  double inertia() const;        ///< J, kg m²
  double circling_rate() const;  ///< κ/(1 + κ) Ω, rad/s
};

}  // namespace rigidlimit
