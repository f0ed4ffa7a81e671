// What the asymptotic expansion of a compliant motion needs to know of a system, its type erased.
#pragma once

#include <functional>

#include "rigidlimit/core/problem.hpp"

namespace rigidlimit {

/// Compliant minus rigid motion as ε → 0, at one consistent start, for one law with β = 1
/// (theory.md, sections 3 and 4): data at t = 0, and the problem of the outer terms
///
///   q − q̂ = ε² q₂(t) + …,   v − v̂ = ε² v₂(t) + …,   λ − Λ = ε² λ₂(t) + …
///
/// Made by expansion_of() (asymptotics/expansion_of.hpp). Sign: the force on the body is −Gᵀλ.
struct Expansion {
  Index coordinates = 0;  ///< nq
  Index velocities = 0;   ///< n
  Index contacts = 0;     ///< m

  MatrixXd delassus;               ///< A, m × m
  MatrixXd stiffness;              ///< C, m × m
  MatrixXd damping;                ///< D, m × m
  MatrixXd velocity_of_impulse;    ///< M⁻¹ Gᵀ, n × m
  MatrixXd coordinate_of_impulse;  ///< T M⁻¹ Gᵀ, nq × m

  VectorXd multiplier;       ///< Λ(0), m
  VectorXd multiplier_rate;  ///< Λ'(0) along the rigid motion, m
  VectorXd missing_load;  ///< e₀ = C⁻¹ Λ(0) − η0, m; exactly 0 if the spring is prepared

  /// y = (q̂, v̂, q₂, v₂), from the matched initial values; not stiff, no Jacobian.
  OdeProblem outer;
  /// λ₂ (m) at a state of `outer`.
  std::function<VectorXd(double t, VectorIn y)> lambda2;

  /// e₀ = 0: the layer is one order smaller.
  bool prepared() const { return (missing_load.array() == 0.0).all(); }
};

}  // namespace rigidlimit
