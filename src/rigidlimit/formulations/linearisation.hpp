// Linearised equations of a motion: matrices and eigenvalues.
#pragma once

#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// The equations of motion linearised about a rigid motion at one instant, at fixed acceleration a
/// and multiplier Λ (Bona, Lagrange approach, 2016; docs/theory.md, section 7):
///
///   M x'' + (D + Γ) x' + (K + H) x = …,   x' the change of v, x that of q by q' = T v
///
/// with D + Γ = −∂F/∂v and K + H = ∂(M a − F + Eᵀκ + GᵀΛ)/∂q T, split into their symmetric and skew
/// parts: D damping, Γ gyroscopic, K stiffness, H circulatory forces. All n × n. The matrices of a
/// mechanical system at rest have H = 0 and Γ = 0 unless its applied forces contribute. About a
/// motion, or with contact forces that rotate with the body, they need not vanish.
struct Linearisation {
  MatrixXd M;
  MatrixXd D;
  MatrixXd gyroscopic;  ///< Γ
  MatrixXd K;
  MatrixXd circulatory;  ///< H

  VectorXd acceleration;  ///< v' of the rigid motion there; 0: an equilibrium or a steady motion
  VectorXd multiplier;    ///< Λ there

  /// Eigenvalues in 1/s of the rigid motion in the reduced coordinates (q, u), nq + n − ne − r, by
  /// decreasing real part. Neutral directions (cyclic coordinates, families of motions) give zeros.
  Eigen::VectorXcd eigenvalues;
};

/// At t = 0 from `state`, which must roll: G v = 0, E v = 0.
Linearisation linearise(const System& system, const InitialState& state);

}  // namespace rigidlimit
