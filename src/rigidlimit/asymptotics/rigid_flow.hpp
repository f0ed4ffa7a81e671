// Derivatives of v' and Λ along the rigid motion, and across it, exact to round-off.
#pragma once

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"

namespace rigidlimit {

/// The KKT system K x = b with x = (v', κ, Λ_I), R = [E; G_I] and its multipliers ν = (κ, Λ_I),
///
///   [ M  Rᵀ ] [ v' ]   [ F                          ]
///   [ R  0  ] [ ν  ] = [ −(∂q R[Tv]) v − (γ E v, 0) ]
///
/// (mechanics/kkt.hpp), differentiated implicitly: every derivative of x solves the same system in
/// double, with a right-hand side from a tape (mechanics/balance_along.hpp),
///
///   K ∂x = ∂(b − K x | x fixed),
///
/// so that the elimination is not differentiated. M need be positive definite on ker R only. Sizes:
/// E ne × n, G_I r × n, the independent contacts of `basis`. `system` and `basis` are held by
/// reference.
class RigidInstant {
 public:
  RigidInstant(const System& system, const ContactBasis& basis, double t, VectorIn q, VectorIn v);

  const VectorXd& coordinate_velocity() const { return q_rate_; }       ///< q' = T v
  VectorXd acceleration() const { return x_.head(system_.n); }          ///< v' (n)
  VectorXd multiplier() const { return x_.tail(basis_.rank()); }        ///< Λ_I (r)
  VectorXd multiplier_rate() const { return dx_.tail(basis_.rank()); }  ///< dΛ_I/dt (r)

  /// d²Λ_I/dt² along the motion (r): two derivatives of b − K x along the parabola through q, q',
  /// q'', v, v', v'' and x, x'.
  VectorXd multiplier_second_rate() const;

  /// (v₂', κ₂, λ₂) at (q₂, v₂), when the differentiated velocity constraint of the contacts has the
  /// right side `bend` (r) at first order: K (v₂', κ₂, λ₂) = δ(b − K x | x fixed) + (0, 0, bend).
  VectorXd variation(const VectorXd& q2, const VectorXd& v2, const VectorXd& bend) const;

  /// (x, ν) of M x + Rᵀν = momentum (n), R x = row_velocity (ne + r): the velocity with this
  /// momentum up to impulses of the rows.
  VectorXd velocity_with(const VectorXd& momentum, const VectorXd& row_velocity) const;

  /// F + d/dt of (M s + Rᵀν | s, ν fixed) along q' = T v, F being ∂F/∂v [s] (n).
  VectorXd momentum_rate(const VectorXd& s, const VectorXd& nu) const;

 private:
  const BalanceAlong& balance() const { return system_.tapes->along(); }
  /// The part of a residual with all contacts for the independent ones.
  VectorXd independent(const VectorXd& residual) const;
  /// x or x' with the multipliers of all contacts, 0 for the dependent ones.
  VectorXd with_all_contacts(const VectorXd& x) const;

  const System& system_;
  const ContactBasis& basis_;
  double t_;
  VectorXd q_;
  VectorXd v_;
  LuFactors<double> kkt_;
  VectorXd x_;   ///< (v', κ, Λ_I)
  VectorXd dx_;  ///< d/dt of it along the motion
  VectorXd q_rate_;
};

}  // namespace rigidlimit
