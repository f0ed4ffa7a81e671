// The viscoelastic contact law, which replaces the multiplier of ideal rolling.
#pragma once

#include <cmath>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// Tangential spring and damper λ = c y + d y', y' = G v, with c = C/ε² and d = D/ε^β
/// (Deppler, Braun, Fidlin and Hochbruck 2016; docs/theory.md, section 1). In the scaled deflection
/// η = y/ε², which stays O(1):
///
///   λ = C η + D ε^(−β) G v,   ε² η' = G v.
///
/// Units: λ is a force (N) where G v is a velocity (m/s); then C is in N/m and D in N s/m, at
/// ε = 1.
struct ViscoelasticLaw {
  MatrixXd stiffness;             ///< C, m × m, symmetric positive definite
  MatrixXd damping;               ///< D, m × m, symmetric positive semidefinite
  double damping_exponent = 1.0;  ///< β
};

/// The law at one ε, in the numbers T: λ = C η + D ε^(−β) w with w = G v.
template <class T>
struct LawAt {
  LawAt(const ViscoelasticLaw& law, double epsilon)
      : stiffness(law.stiffness.cast<T>()), deflection_scale(T(epsilon) * T(epsilon)) {
    using std::pow;
    damping = T(pow(T(epsilon), T(-law.damping_exponent))) * law.damping.template cast<T>();
  }

  MatrixX<T> stiffness;  ///< C, m × m
  MatrixX<T> damping;    ///< D ε^(−β), m × m
  T deflection_scale;    ///< ε²: ε² η' = w
  T deflection_rate() const { return T(1) / deflection_scale; }
};

/// D_crit = 2 A^(−1/2) (A^(1/2) C A^(1/2))^(1/2) A^(−1/2), for which s² I + s A D + A C has only
/// double real roots; for m = 1, 2 sqrt(C/A). A and C symmetric positive definite, m × m.
MatrixXd critical_damping(const MatrixXd& delassus, const MatrixXd& stiffness);

/// Throws InputError naming `what` and its smallest eigenvalue unless X is square, symmetric and
/// positive definite (`strictly`) or semidefinite.
void require_positive(const MatrixXd& X, const char* what, bool strictly);

}  // namespace rigidlimit
