// Exact derivatives of the right-hand side of formulations/frictional_rate.hpp.
#pragma once

#include "rigidlimit/formulations/frictional_rate.hpp"
#include "rigidlimit/formulations/jacobian.hpp"

namespace rigidlimit {

/// A rule for give_derivatives() (formulations/jacobian.hpp). At a kink the derivative is that
/// of the branch which the value takes.
///
/// x = (a, κ) and p_b are differentiated implicitly, so that no system is solved in Dual numbers:
/// with X the inertia's answer to λ, B = −X_b and L = ∂λ/∂p_b,
///
///   ∂x = ∂x|p_b − X L ∂p_b,   (I − B L) ∂p_b = −∂x_b|p_b,
///
/// ∂x|p_b the inertia's answer to what the values leave unbalanced at fixed (a, κ, p_b). m_eff of a
/// unilateral contact is 1/s with s = 2 N z − zᵀ M z − 2 κ_zᵀ R z, stationary in its own (z, κ_z),
/// which may therefore stay fixed.
class FrictionalDerivatives {
 public:
  explicit FrictionalDerivatives(FrictionalRate rate) : rate_(std::move(rate)) {}

  using Varied = VectorX<Directions>;

  void prepare(double t, VectorIn y);
  Columns columns(const Directions& t, const Varied& y) const;

 private:
  struct Terms;
  Terms terms_at(const Directions& t, const Varied& y) const;
  void add_normal_forces(const Directions& t, const Varied& y, Terms& terms) const;
  void add_friction(const Varied& y, Terms& terms) const;
  Columns unbalanced(const Directions& t, const Varied& y, const Terms& terms) const;
  /// ∂x; adds to λ and η' of `terms` what they owe to ∂p_b.
  Columns solve(const Columns& unbalanced, Terms& terms) const;

  FrictionalRate rate_;
};

}  // namespace rigidlimit
