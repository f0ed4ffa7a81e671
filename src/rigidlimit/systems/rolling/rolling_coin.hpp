// A coin that rolls upright on an inclined plane.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// q = (x, y, ψ, φ): centre of the coin, x down the slope, yaw of the heading and spin about the
/// axle; v = q'. A frictionless support keeps it upright. With I = κ m r² about the axle and I/2
/// about a diameter
///
///   M = diag(m, m, I/2, I),   F = (m g sin α, 0, 0, 0)
///   G v = ( cos ψ x' + sin ψ y' − r φ',    sliding along the heading
///          −sin ψ x' + cos ψ y')           sliding to the left of it
///
/// The disc of systems/rolling/rolling_disk.hpp with its tilt held at 0, on a slope. Rolling: ψ' =
/// ω is constant, (1 + κ) u' = g sin α cos ψ, and the position follows the skate's formulas
/// (docs/theory.md, section 8) with s = g sin α/(1 + κ).
struct RollingCoin {
  static constexpr int nq = 4, n = 4, m = 2;

  double mass = 1.0;         ///< m, kg
  double radius = 0.5;       ///< r, m
  double axial_ratio = 0.5;  ///< κ = I/(m r²): ½ homogeneous coin, 1 hoop
  double slope = 0.3;        ///< α, rad; 0: the level plane of the textbooks
  double gravity = 9.81;     ///< g, m/s²

  static const SystemInfo& info();
  static std::array<Parameter<RollingCoin>, 5> parameters();

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    const double axial = axial_ratio * mass * radius * radius;
    return Vector<S, n>(S(mass), S(mass), S(0.5 * axial), S(axial)).asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return {S(mass * downhill()), S(0), S(0), S(0)};
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    const S c = cos(q(2)), s = sin(q(2));
    Matrix<S, m, n> G;
    G << c, s, S(0), S(-radius),  //
        -s, c, S(0), S(0);
    return G;
  }

  /// u = (ψ', φ'): the rates of yaw and spin.
  template <class S>
  Matrix<S, n - m, n> quasi_velocities(const Vector<S, nq>&) const {
    Matrix<S, n - m, n> rows = Matrix<S, n - m, n>::Zero();
    rows(0, 2) = rows(1, 3) = S(1);
    return rows;
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return -(mass * downhill()) * q(0);
  }

  /// At the origin, heading down the slope at 0.7 m/s and turning at 1.3 rad/s.
  InitialState start() const;

  /// The rigid motion, exact to round-off. Needs a consistent velocity. Returns std::nullopt for
  /// turning rates so slow that the formula loses digits.
  std::optional<Motion> closed_form(const InitialState& start,
                                    const std::vector<double>& times) const;

  double downhill() const;  ///< g sin α, m/s²
};

}  // namespace rigidlimit
