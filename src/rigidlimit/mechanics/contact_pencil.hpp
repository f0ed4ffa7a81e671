// Eigenvalues of a linear contact, by its symmetric structure.
#pragma once

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// The 2r eigenvalues μ of
///
///   y'' + A D y' + A C y = 0,   A, C, D: r × r, symmetric, A ≥ 0, C > 0, D ≥ 0
///
/// (deflection y, Delassus matrix A, stiffness C, damping D; 1/s if A is in 1/kg, C in N/m, D in
/// N s/m). With A = S Sᵀ, y = S W z and Sᵀ C S = W Ω² Wᵀ this is z'' + D̂ z' + Ω² z = 0, D̂ = Wᵀ Sᵀ D
/// S W. If D̂ is diagonal up to rounding, as for any damping ratio, each mode has the roots of its
/// quadratic; otherwise the μ are those of [0 Ω; −Ω −D̂].
///
/// For a unit eigenvector z, μ² + d μ + c = 0 with d = z*D̂ z and c = z*Ω² z (Tisseur and
/// Meerbergen, SIAM Review 43, 2001, pp. 235-286). Therefore
///
///   −max(d_max, ω_max) ≤ Re μ ≤ −min(d_min/2, ω_min²/d_max)
///
/// and all numbers that are returned obey these bounds: a contact with D > 0 decays, for any
/// rounding. Multiple eigenvalues (D critical) have a relative error of the square root of
/// rounding. An indefinite A, of a tangent lift, has the eigenvalues of [0 I; −A C −A D] without
/// bounds. Redundant contacts, whose A is singular up to rounding, have two μ = 0 for each
/// internal force. All are NaN if an entry is not finite. Throws InputError if the iteration for
/// the eigenvalues does not converge.
Eigen::VectorXcd contact_pencil_rates(const MatrixXd& A, const MatrixXd& C, const MatrixXd& D);

/// The r eigenvalues of w' + A D w = 0, A ≥ 0, D ≥ 0: real, not positive, increasing. All are
/// NaN if an entry is not finite.
VectorXd damper_rates(const MatrixXd& A, const MatrixXd& D);

}  // namespace rigidlimit
