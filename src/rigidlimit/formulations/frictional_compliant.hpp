// The compliant side of a system with friction and impacts: one stiff ODE, no modes, no events.
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// Spring and damper of every contact (docs/theory.md, section 10.3). Tangential, with ε_t = ε^κ,
///
///   projected    λ = proj_{|λ| ≤ μ|p|}(c y + d w),  y' = (λ − c y)/d,  c = C_t/ε_t², d = D_t/ε_t
///   regularised  λ = μ|p| sat(w/δ),  δ = creep · ε: no spring; it creeps
///
/// Normal, of a unilateral contact with gap g < 0: p = max(0, −(c g + d g')), c = C_n/ε²;
/// d from the restitution: ζ with e(ζ) = e (mechanics/restitution.hpp), d = 2 ζ sqrt(C_n m_eff)/ε,
/// m_eff = 1/(N M⁻¹ Nᵀ) at the current configuration, of the body as exact rows and bilateral
/// contacts hold it; e = 0: d = 2 sqrt(C_n m_eff) ε^(−β), which leaves the restitution ε^(2β − 2)/4
/// and creeps to its load within 2 sqrt(m_eff/C_n) ε^(2 − β).
struct FrictionalLaw {
  enum class Friction { projected, regularised };

  Friction friction = Friction::projected;
  VectorXd tangential_stiffness;  ///< C_t, N/m at ε = 1, one a contact
  VectorXd normal_stiffness;      ///< C_n, N/m at ε = 1, one a contact; of unilateral ones
  double damping_ratio = 1.0;     ///< ζ of the tangential contact: D_t = 2 ζ sqrt(C_t/a), a its
                                  ///< Delassus entry at the start
                                  ///< (in space the mean of its two)
  double tangential_power = 1.0;  ///< κ
  double plastic_exponent = 1.5;  ///< β of the normal damper where e = 0
  double creep = 1.0;             ///< m/s at ε = 1, of `regularised`
};

/// A place where the right-hand side is not smooth: one root function of the ODE.
struct CompliantKink {
  enum class Kind {
    contact,  ///< a unilateral force begins (+1) or ends (−1)
    sign,     ///< a given or computed normal force changes its sign
    rim,      ///< the friction leaves (+1) or enters (−1) the inside of its disc: slips, sticks
    geometry  ///< a kink of the system
  };
  Kind kind = Kind::contact;
  Index which = 0;  ///< the contact; of `geometry` the entry of FrictionalSystem::kinks
};

/// What the root functions of frictional_compliant() are, in their order.
std::vector<CompliantKink> kinks_of(const FrictionalSystem& system);

/// How a solver meets the force of a contact that closes.
enum class Closing {
  crossed,  ///< any method: where g < 0
  located   ///< methods that locate roots, the others refuse: from the root g = 0 on. A state more
            ///< for each unilateral contact marks it as closed
};

/// The ODE at ε from `start` with unloaded springs, in y = (q, v, η, w, γ, h), sizes nq, n, m, m,
/// nu and nu, nu the unilateral contacts (the regularised law has no η):
///
///   q' = T v,   M v' = F − Eᵀκ + Nᵀp − Wᵀλ,   E v' and N_b v' as their constancy asks,
///   ε_t η' = y',   w' = W v' + (∂q W[T v]) v,   ε γ' = h,   h' = N v' + (∂q N[T v]) v,
///
/// deflection y = ε_t η, gap g = ε γ. Computed normal forces p_b of bilateral contacts are those of
/// the rigid N_b v = 0 beside the tangential springs: friction and p_b depend on each other, and
/// are solved for to round-off; where that fails the right-hand side is not finite. The motion's
/// lambda: λ (m), then p (nc). The roots are kinks_of(), each of which begins a new piece; a method
/// that locates none steps across. The Jacobian is exact.
///
/// The sliding velocity w and the gap rate h are states beside v, of which they are functions: q
/// then enters the stiff terms nowhere. They are drawn towards W v and N v at the rate
/// exact_constraint_recovery: what a solver strays is forgotten. Deflections are scaled by ε, not
/// ε²: across an impact the forces are O(1/ε), and η and w remain O(1), so that one absolute
/// tolerance means the same force for both.
///
/// N and W must be continuous along the motion: a corner in which the normal jumps is two contacts.
///
/// A unilateral force with a damper begins with a jump d |h|. A method that steps across it needs
/// absolute tolerances above that jump times the resolution of t, and fails with a step underflow
/// otherwise; one that locates roots never meets it with Closing::located. An absolute tolerance a
/// of w is a force D_t a/ε_t, which must be small beside the friction.
///
/// Routh's law of friction at an impact is the limit only if the tangential contact is faster than
/// the normal one: κ > 1 where e > 0, κ > β where e = 0. Why, what was measured, and which
/// tolerances were too loose or too tight: docs/theory.md, sections 10.4 and 10.7.
MotionProblem<OdeProblem> frictional_compliant(const FrictionalSystem& system,
                                               const InitialState& start, const FrictionalLaw& law,
                                               double epsilon, Closing closing = Closing::crossed);

}  // namespace rigidlimit
