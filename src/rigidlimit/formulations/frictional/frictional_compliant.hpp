// The compliant side of a system with friction and impacts: one stiff ODE without modes or events.
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// Spring and damper of every contact (docs/theory.md, section 10.3). Tangential, with ε_t = ε^κ,
///
///   projected    λ = proj_{|λ| ≤ μ|p|}(c y + d w),  y' = (λ − c y)/d,  c = C_t/ε_t², d = D_t/ε_t
///   regularised  λ = μ|p| sat(w/δ),  δ = creep · ε: no spring; it creeps
///   smoothed     λ = μ|p| w/√(|w|² + δ²): the same without a corner
///
/// Normal, of a unilateral contact with gap g < 0: p = max(0, −(c g + d g')), c = C_n/ε²;
/// d from the restitution: ζ with e(ζ) = e (mechanics/restitution.hpp), d = 2 ζ sqrt(C_n m_eff)/ε,
/// m_eff = 1/(N M⁻¹ Nᵀ) at the current configuration, of the body with its exact rows and bilateral
/// contacts. For e = 0, d = 2 sqrt(C_n m_eff) ε^(−β), which leaves the restitution ε^(2β − 2)/4 and
/// creeps to its load within 2 sqrt(m_eff/C_n) ε^(2 − β).
struct FrictionalLaw {
  enum class Friction { projected, regularised, smoothed };

  Friction friction = Friction::projected;
  VectorXd tangential_stiffness;  ///< C_t, N/m at ε = 1, one per contact
  VectorXd normal_stiffness;      ///< C_n, N/m at ε = 1, one per contact; used by unilateral ones
  double damping_ratio = 1.0;     ///< ζ of the tangential contact: D_t = 2 ζ sqrt(C_t/a), a its
                                  ///< Delassus entry at the start
                                  ///< (in space the mean of its two)
  double tangential_power = 1.0;  ///< κ
  double plastic_exponent = 1.5;  ///< β of the normal damper where e = 0
  double creep = 1.0;             ///< m/s at ε = 1, for `regularised`, `smoothed`
};

/// A kink of the right-hand side: one root function of the ODE.
struct CompliantKink {
  enum class Kind {
    contact,   ///< a unilateral force begins (+1) or ends (−1)
    sign,      ///< a given or computed normal force changes its sign
    rim,       ///< the friction leaves (+1) or enters (−1) the inside of its disc: slips, sticks
    geometry,  ///< a kink of the system
    switches   ///< a switch of the equations: a force jumps
  };
  Kind kind = Kind::contact;
  Index which = 0;  ///< the contact; the entry of FrictionalSystem::kinks; the switch
};

/// Kinks of the root functions of frictional_compliant(), in their order.
std::vector<CompliantKink> kinks_of(const FrictionalSystem& system);

/// Treatment of the force of a closing contact.
enum class Closing {
  crossed,  ///< any method: force where g < 0
  located  ///< only for methods that locate roots: force from the root g = 0 on. One more state for
           ///< each unilateral contact marks it as closed, and one for each switch has its side
};

/// A sample of a compliant motion that contradicts the law of its contacts, as text with the
/// contact, the time and the size; empty: none. The normal force p of each unilateral contact must
/// lie between those of the law at (g + δ, g' + δ) and (g − δ, g' − δ), g = gap(q) and g' = N v of
/// the sample. `error`: δ, m and m/s. A contact that both solves of a row pass without
/// a force is found here.
std::string violation_of_law(const FrictionalSystem& system, const InitialState& start,
                             const FrictionalLaw& law, double epsilon, const Motion& motion,
                             double error);

/// The ODE at ε from `start` with unloaded springs, in y = (q, v, η, w, γ, h), sizes nq, n, m, m,
/// nu and nu, nu the unilateral contacts (laws that creep have no η):
///
///   q' = T v,   M v' = F − Eᵀκ + Nᵀp − Wᵀλ,   E v' and N_b v' such that E v and N_b v are
/// constant,
///   ε_t η' = y',   w' = W v' + (∂q W[T v]) v,   ε γ' = h,   h' = N v' + (∂q N[T v]) v,
///
/// Deflection y = ε_t η, gap g = ε γ. The normal forces p_b of bilateral contacts are those of the
/// rigid N_b v = 0 beside the tangential springs. Friction and p_b are coupled and solved to
/// round-off; if that fails, the right-hand side is not finite. The motion's lambda: λ (m), then p
/// (nc). The roots are kinks_of(), each of which begins a new piece; a method without root location
/// steps across them. The Jacobian is exact.
///
/// The sliding velocity w and the gap rate h are states beside v, although they are functions of v,
/// so that q does not enter the stiff terms. They relax towards W v and N v at the rate
/// exact_constraint_recovery, which removes the drift of a solver. Deflections are scaled by ε, not
/// ε²: across an impact the forces are O(1/ε), and η and w remain O(1). One absolute tolerance then
/// means the same force for both.
///
/// N and W must be continuous along the motion: model a corner in which the normal jumps as two
/// contacts.
///
/// A unilateral force with a damper begins with a jump d |h|. A method that steps across it needs
/// absolute tolerances above that jump times the resolution of t, otherwise it fails with a step
/// underflow. A method that locates roots avoids the jump with Closing::located. An absolute
/// tolerance a of w is a force D_t a/ε_t, which must be small compared with the friction.
///
/// Routh's law of friction at an impact is the limit only if the tangential contact is faster than
/// the normal one: κ > 1 for e > 0, κ > β for e = 0. See docs/theory.md, sections 10.4 and 10.7,
/// for the reason, the measurements, and tolerances that were too loose or too tight.
MotionProblem<OdeProblem> frictional_compliant(const FrictionalSystem& system,
                                               const InitialState& start, const FrictionalLaw& law,
                                               double epsilon, Closing closing = Closing::crossed);

}  // namespace rigidlimit
