// Exact derivatives of the right-hand side of formulations/frictional/frictional_rate.hpp.
#pragma once

#include "rigidlimit/formulations/frictional/frictional_rate.hpp"

namespace rigidlimit {

/// ∂f/∂y and ∂f/∂t. At a kink the derivative is that of the branch of the value.
///
/// x = (a, κ) and p_b are differentiated implicitly: with X the inertia's answer to λ, B = −X_b and
/// L = ∂λ/∂p_b,
///
///   ∂x = ∂x|p_b − X L ∂p_b,   (I − B L) ∂p_b = −∂x_b|p_b,
///
/// ∂x|p_b is the inertia's response to the residual of the values at fixed (a, κ, p_b). m_eff of a
/// unilateral contact is 1/s with s = 2 N z − zᵀ M z − 2 κ_zᵀ R z. s is stationary in (z, κ_z),
/// which may therefore stay fixed.
///
/// Each copy has a workspace: one thread at a time.
class FrictionalDerivatives {
 public:
  explicit FrictionalDerivatives(FrictionalRate rate) : rate_(std::move(rate)) {}

  void write_jacobian(double t, VectorIn y, MatrixOut J);
  void write_time_derivative(double t, VectorIn y, VectorOut f);

 private:
  struct Forces;
  /// ∂f in K directions: y changes by dy (size × K), and the terms of the body by `d`, whose
  /// columns belong to the first directions.
  MatrixXd change(VectorIn y, const MatrixXd& dy, const BalanceDerivatives& d) const;
  Forces force_changes(VectorIn y, const MatrixXd& dy, const BalanceDerivatives& d) const;
  void add_unilateral(Index i, VectorIn y, const MatrixXd& dy, Forces& changes) const;
  VectorXd mobility_gradient(Index i, VectorIn q) const;
  MatrixXd solve(const BalanceDerivatives& d, Forces& changes) const;

  FrictionalRate rate_;
};

}  // namespace rigidlimit
