// A wheel on a rough incline, which slips or rolls, its rotation in two Euler parameters.
#pragma once

#include <array>
#include <optional>

#include "rigidlimit/mechanics/frictional_system.hpp"
#include "rigidlimit/systems/wheel_euler.hpp"

namespace rigidlimit {

/// The wheel of systems/wheel_euler.hpp, q = (x, y, p, q), with Coulomb friction on a plane that
/// holds it (Souchet's bilateral contact): rigidity p p' + q q' = 0 alone stays exact, and the
/// plane is a contact with a computed normal force,
///
///   E v = p p' + q q',   g = y − r,   W v = x' + r θ',  θ' = 2 (p q' − q p')
///
/// The same motion as systems/slipping_wheel.hpp with φ = −θ, the same λ, and p = m g cos α. M is
/// singular at q = 0.
struct SlippingWheelEuler : WheelEuler {
  double friction = 0.25;  ///< μ

  /// The values of docs/theory.md, section 10.
  SlippingWheelEuler();

  static const SystemInfo& info();
  static std::array<Parameter<SlippingWheelEuler>, 7> parameters();
  std::vector<ContactPoint> contacts() const;

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

  /// u = (x', y').
  template <class S>
  Matrix<S, 2, n> quasi_velocities(const Vector<S, nq>&) const {
    Matrix<S, 2, n> rows = Matrix<S, 2, n>::Zero();
    rows(0, 0) = rows(1, 1) = S(1);
    return rows;
  }

  /// Slides down at 1 m/s without spin, at θ = 0.4 rad.
  InitialState start() const;  // NOLINT(bugprone-derived-method-shadowing-base-method): meant

  /// Without y, p and q: (x, φ) and their rates, as SlippingWheel has them.
  InitialState in_angle(const InitialState& start) const;

  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method): slipping has no such formula
  std::optional<Motion> closed_form(const InitialState&, const std::vector<double>&) const = delete;

  /// Exact to round-off. None with drag, or off the plane.
  std::optional<KnownHistory> closed_history(const InitialState& start,
                                             const std::vector<double>& times) const;
};

}  // namespace rigidlimit
