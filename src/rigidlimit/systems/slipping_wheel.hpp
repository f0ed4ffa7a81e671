// A wheel on a rough incline, which slips or rolls.
#pragma once

#include <array>
#include <optional>

#include "rigidlimit/mechanics/frictional_system.hpp"
#include "rigidlimit/systems/uniform_pieces.hpp"
#include "rigidlimit/systems/wheel.hpp"

namespace rigidlimit {

/// The wheel of systems/wheel.hpp on an incline with Coulomb friction: q = (x, φ), W v = x' − r φ',
/// normal force N = m g cos α given. With s = g sin α, κ = J/(m r²) and no drag
///
///   slipping   x'' = s ∓ μ N/m,  r φ'' = ±μ N/(κ m),  w' = s ∓ μ (N/m)(1 + κ)/κ,  ± = sign w
///   rolling    x'' = r φ'' = s/(1 + κ),  λ = m s κ/(1 + κ):  needs |λ| ≤ μ N,
///              that is μ ≥ |tan α| κ/(1 + κ)
///
/// A wheel that slips comes to roll at w = 0 where it can, else slips on or back in the direction
/// of w' (Souchet, κ = ½; docs/theory.md, section 10: t* = 0.2421 s from the default start).
struct SlippingWheel : Wheel {
  double friction = 0.25;  ///< μ

  /// The values of docs/theory.md, section 10.
  SlippingWheel();

  static const SystemInfo& info();
  static std::array<Parameter<SlippingWheel>, 7> parameters();
  std::vector<ContactPoint> contacts() const;

  template <class S>
  Vector<S, 1> gap(const Vector<S, nq>&) const {
    return Vector<S, 1>(S(0));
  }

  template <class S>
  Vector<S, 1> normal_force(const Vector<S, nq>&, const Vector<S, n>&, const S&) const {
    return Vector<S, 1>(S(pressing()));
  }

  /// Slides down at 1 m/s without spin.
  InitialState start() const;  // NOLINT(bugprone-derived-method-shadowing-base-method): meant

  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method): slipping has no such formula
  std::optional<Motion> closed_form(const InitialState&, const std::vector<double>&) const = delete;

  /// Exact to round-off. None with drag.
  std::optional<KnownHistory> closed_history(const InitialState& start,
                                             const std::vector<double>& times) const;

  /// The history in pieces: one, or two with a change at w = 0.
  std::vector<UniformPiece> pieces(const InitialState& start) const;

  double pressing() const;  ///< N = m g cos α, N
};

}  // namespace rigidlimit
