// The force laws of compliant contacts with friction, at one ε.
#pragma once

#include <vector>

#include "rigidlimit/formulations/frictional/frictional_compliant.hpp"

namespace rigidlimit {

/// One contact with the constants of its laws. Indices that do not apply are −1.
struct CompliantContact {
  Index first = 0;  ///< its first row of W
  Index components = 1;
  Normal normal = Normal::unilateral;
  double friction = 0.0;  ///< μ

  double stiffness = 0.0;         ///< C_t/ε_t = c ε_t, N/m, of η
  double damping = 0.0;           ///< d = D_t/ε_t, N s/m
  double deflection_scale = 0.0;  ///< ε_t, of η = y/ε_t
  double sliding_scale = 0.0;     ///< δ of the laws that creep, m/s; 0: projected
  bool smoothed = false;

  double normal_stiffness = 0.0;  ///< C_n/ε = c ε, N/m, of γ
  double normal_damping = 0.0;  ///< d/√m_eff = 2 ζ √C_n/ε (plastic: 2 √C_n ε^(−β)), √kg/s
  Index unilateral = -1;        ///< index among the unilateral contacts
  Index bilateral = -1;         ///< index among the bilateral contacts
};

/// The contacts of `system` with this law at ε, in their order. Throws InputError, with the name of
/// the contact, for an invalid law.
std::vector<CompliantContact> compliant_contacts(const FrictionalSystem& system,
                                                 const InitialState& start,
                                                 const FrictionalLaw& law, double epsilon);

/// p of a closed unilateral contact with scaled gap γ = g/ε and rate h = g':
/// max(0, −(C_n γ/ε + d h)).
double unilateral_force(const CompliantContact& contact, double gamma, double h,
                        double effective_mass);

/// Its derivatives; zero where the force is zero.
struct UnilateralSlope {
  double gamma = 0.0, h = 0.0, effective_mass = 0.0;
};
UnilateralSlope unilateral_slope(const CompliantContact& contact, double gamma, double h,
                                 double effective_mass);

/// State of the friction law: the unlimited force C η/ε_t + d w, or μ |p| w/δ, is inside or outside
/// the disc. The smoothed law has no corner there.
enum class DiscSide { inside, rim };

/// λ of one contact (`components` entries of `lambda`) and its η', from p, η and w. Laws that creep
/// ignore η and its rate.
DiscSide friction_force(const CompliantContact& contact, double p, VectorIn eta, VectorIn w,
                        VectorOut lambda, VectorOut eta_rate);

/// Derivatives of λ as a function of p and of the pull x = C η/ε_t + d w (laws that creep: x = w).
/// Sizes: `components`. At a kink the derivatives are those of the branch of the value.
struct FrictionSlope {
  VectorXd by_force;  ///< ∂λ/∂p
  MatrixXd by_pull;   ///< ∂λ/∂x
};
FrictionSlope friction_slope(const CompliantContact& contact, double p, VectorIn eta, VectorIn w);

}  // namespace rigidlimit
