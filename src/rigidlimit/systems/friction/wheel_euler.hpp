// A wheel that rolls or slips on an incline, with its rotation in two Euler parameters.
#pragma once

#include <array>
#include <optional>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// q = (x, y, p, q): centre, x down the slope and y off the plane, and Euler parameters; v = q'. A
/// point X of the wheel is at (x, y) + R X with
///
///   R = [[1 − 2q², −2pq], [2pq, 1 − 2q²]],
///
/// a rotation by θ, from x to y, only where p = cos θ/2, q = sin θ/2. Lagrangian, with κ = J/(m r²)
/// and a drag b on the centre (Souchet; docs/theory.md, section 8: κ = ½ and b = 0):
///
///   K* = ½ m (x'² + y'²) + 2κ m r² (4 q² q'² + (q p' + p q')²)
///   P  = m g (cos α y − sin α x),   dissipation ½ b x'²
///   E v = p p' + q q',  e = p² + q² − 1        rigidity
///   g   = y − r                                the plane holds the wheel: a bilateral contact
///   G v = x' + r θ',  θ' = 2 (p q' − q p')     sliding down the slope
///
/// K*: points at rest in the wheel move with R' X, and the mass of every disc-like wheel gives Σ m
/// X Xᵀ = ½ κ m r² I. M is singular at q = 0, where θ is a multiple of 2π and K* does not depend on
/// p'; there E v = 0 excludes p', and the KKT matrix stays regular. Rolling down turns θ backwards:
/// φ = −θ of systems/friction/wheel.hpp, with the same λ, slipping and rolling, and p = m g cos α.
struct WheelEuler {
  static constexpr int nq = 4, n = 4, m = 1;

  double mass = 1.0;         ///< m, kg
  double radius = 0.25;      ///< r, m
  double axial_ratio = 0.5;  ///< κ = J/(m r²): ½ homogeneous disc, 1 hoop
  double slope = 0.3;        ///< α, rad
  double gravity = 9.81;     ///< g, m/s²
  double drag = 2.0;         ///< b, N s/m
  double friction = 0.25;    ///< μ

  static const SystemInfo& info();
  static std::array<Parameter<WheelEuler>, 6> parameters();
  static std::array<Parameter<WheelEuler>, 1> contact_parameters();
  std::vector<ContactPoint> contacts() const;

  template <class S>
  S kinetic_coenergy(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    const S diagonal_rate = 2.0 * q(3) * v(3);     // −R11'/2
    const S off_rate = q(3) * v(2) + q(2) * v(3);  // R21'/2
    const double turning = 2.0 * axial_ratio * mass * radius * radius;
    return 0.5 * mass * (v(0) * v(0) + v(1) * v(1)) +
           turning * (diagonal_rate * diagonal_rate + off_rate * off_rate);
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return pressing() * q(1) - (mass * downhill()) * q(0);
  }

  template <class S>
  S dissipation(const Vector<S, n>& v) const {
    return (0.5 * drag) * v(0) * v(0);
  }

  template <class S>
  Matrix<S, 1, n> exact_constraint(const Vector<S, nq>& q) const {
    return Matrix<S, 1, n>(S(0), S(0), q(2), q(3));
  }

  template <class S>
  Vector<S, 1> invariants(const Vector<S, nq>& q) const {
    return Vector<S, 1>(S(q(2) * q(2) + q(3) * q(3) - S(1)));
  }

  template <class S>
  Vector<S, 1> gap(const Vector<S, nq>& q) const {
    return Vector<S, 1>(S(q(1) - radius));
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    const double twice = 2.0 * radius;
    return Matrix<S, m, n>(S(1), S(0), -twice * q(3), twice * q(2));
  }

  /// u = x', the speed of the centre.
  template <class S>
  Matrix<S, 1, n> quasi_velocities(const Vector<S, nq>&) const {
    return Matrix<S, 1, n>(S(1), S(0), S(0), S(0));
  }

  /// At θ = 0.4 rad, rolling down at x' = 0.3 m/s: θ = 0 is passed soon, and again after each turn.
  InitialState start() const;

  /// Slides down at 1 m/s without spin, at θ = 0.4 rad.
  InitialState sliding_start() const;

  /// A rolling start at angle θ and speed x'.
  InitialState rolling_start(double x, double theta, double speed) const;

  /// The rigid motion, exact to round-off. Needs a consistent start.
  std::optional<Motion> closed_form(const InitialState& start,
                                    const std::vector<double>& times) const;

  /// The history of slipping and rolling, exact to round-off. Empty with drag, or off the plane.
  std::optional<KnownHistory> closed_history(const InitialState& start,
                                             const std::vector<double>& times) const;

  /// The state in the coordinates of Wheel, (x, φ) and their rates.
  InitialState in_angle(const InitialState& start) const;

  double downhill() const;  ///< g sin α, m/s²
  double pressing() const;  ///< m g cos α, N: the normal force
};

}  // namespace rigidlimit
