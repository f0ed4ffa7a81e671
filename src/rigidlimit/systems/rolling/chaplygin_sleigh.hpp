// The Chaplygin sleigh on a horizontal plane.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// q = (x, y, φ): the blade's contact point and the heading; v = q'. The centre of mass lies at
/// distance a ahead of the blade on its line, so M depends on q and F is quadratic in v:
///
///   M = [[m, 0, −m a sin φ], [0, m, m a cos φ], [·, ·, J + m a²]]
///   F = m a φ'² (cos φ, sin φ, 0),   G = (−sin φ, cos φ, 0)
///
/// On the constraint, with forward speed u and turning rate ω: u' = a ω²,
/// (J + m a²) ω' = −m a u ω. (With the blade ahead of the centre of mass, a < 0.)
struct ChaplyginSleigh {
  static constexpr int nq = 3, n = 3, m = 1;

  double mass = 1.0;      ///< m, kg
  double inertia = 0.5;   ///< J about the vertical through the centre of mass, kg m²
  double distance = 0.4;  ///< a, m; positive: centre of mass ahead of the blade

  static const SystemInfo& info();
  static std::array<Parameter<ChaplyginSleigh>, 3> parameters();

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    const double ma = mass * distance;
    const S off_x = -ma * sin(q(2));
    const S off_y = ma * cos(q(2));
    Matrix<S, n, n> M;
    M << S(mass), S(0), off_x,  //
        S(0), S(mass), off_y,   //
        off_x, off_y, S(inertia + ma * distance);
    return M;
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    using std::cos, std::sin;
    const S centrifugal = (mass * distance) * v(2) * v(2);
    return {centrifugal * cos(q(2)), centrifugal * sin(q(2)), S(0)};
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

  /// The rigid motion: u, ω, φ and Λ by formula, the position by Gauss quadrature to round-off.
  /// Needs a consistent velocity. Returns std::nullopt if the sleigh does not turn, if a = 0, or if
  /// the time is too long for the quadrature.
  std::optional<Motion> closed_form(const InitialState& start,
                                    const std::vector<double>& times) const;
};

}  // namespace rigidlimit
