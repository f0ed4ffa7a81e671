// Data of the asymptotic expansion of a compliant motion.
#pragma once

#include <functional>

#include "rigidlimit/core/problem.hpp"

namespace rigidlimit {

/// Compliant minus rigid motion as ε → 0, at one consistent start, for one law with β = 1
/// (docs/theory.md, sections 3, 4 and 6): data at t = 0, and the problem of the outer terms
///
///   q − q̂ = ε² q₂(t) + …,   v − v̂ = ε² v₂(t) + …,   λ − Λ = ε λ₁(t) + ε² λ₂(t) + …
///
/// Made by expansion_of() (asymptotics/expansion_of.hpp). Sign: the force on the body is −Gᵀλ.
///
/// Redundant contacts, G = H G_I with constant H (m × r), act on the body as r independent ones
/// with the force μ = Hᵀλ, C_r = HᵀCH, D_r = HᵀDH and the deflection η_I = C_r⁻¹HᵀCη; Λ is
/// selected_multiplier() for the same η0. λ₁ = B C_r⁻¹ μ', B = D H − C H C_r⁻¹ D_r, comes from the
/// internal forces of the dampers. For independent contacts r = m, H = I, B = 0.
struct Expansion {
  Index coordinates = 0;  ///< nq
  Index velocities = 0;   ///< n
  Index contacts = 0;     ///< m

  MatrixXd delassus;               ///< A = G_I M⁻¹ G_Iᵀ, r × r
  MatrixXd stiffness;              ///< C_r, r × r
  MatrixXd damping;                ///< D_r, r × r
  MatrixXd velocity_of_impulse;    ///< M⁻¹ G_Iᵀ, n × r
  MatrixXd coordinate_of_impulse;  ///< T M⁻¹ G_Iᵀ, nq × r
  MatrixXd force_of_deflection;    ///< C H, m × r
  MatrixXd force_of_sliding;       ///< D H, m × r

  VectorXd multiplier;       ///< μ(0) = HᵀΛ(0), r
  VectorXd multiplier_rate;  ///< μ'(0) along the rigid motion, r
  VectorXd missing_load;  ///< e₀ = C_r⁻¹ μ(0) − η_I(0), r; exactly 0 if the spring is prepared

  /// y = (q̂, v̂, q₂, v₂), from the matched initial values; not stiff, no Jacobian.
  OdeProblem outer;
  /// λ₁ (m) at a state of `outer`; empty: always 0.
  std::function<VectorXd(double t, VectorIn y)> lambda1;
  /// λ₂ (m) at a state of `outer`.
  std::function<VectorXd(double t, VectorIn y)> lambda2;

  /// e₀ = 0: the layer is one order smaller.
  bool prepared() const { return (missing_load.array() == 0.0).all(); }
};

}  // namespace rigidlimit
