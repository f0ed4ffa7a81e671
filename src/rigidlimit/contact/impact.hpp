// The velocity jump at an impact: Newton and Poisson's restitution, Routh's friction (Grzesikiewicz
// & Zbiciak 2020, equations 31 to 35 and 95 to 113).
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "rigidlimit/contact/contact_terms.hpp"

namespace rigidlimit {

struct ImpactOptions {
  double speed_tolerance = 1e-10;  ///< m/s: largest admissible closing speed (zero_bounds())
  int max_rounds = 50;             ///< of plastic phase and restitution phase
  VectorXd compliance{};           ///< NonsmoothOptions::compliance
};

/// The change of kinetic energy by an impact, J. An elastic impact without friction leaves a
/// difference of equal terms; only a change beyond their rounding is a change.
struct ImpactWork {
  double change = 0.0;    ///< rᵀu⁻ + ½ rᵀA r
  double rounding = 0.0;  ///< contact_tolerance times the absolute values of these terms

  bool raises() const { return change > rounding; }
  bool is_zero() const { return std::abs(change) <= rounding; }
};

/// One solution of the law.
struct Impact {
  VectorXd velocity;  ///< v⁺ (n)
  VectorXd reaction;  ///< r = (−λ, p) of all phases, m + nc, N s: M (v⁺ − v⁻) = Hᵀ r
  VectorXd rate;      ///< (w, g') afterwards, m + nc
  ImpactWork work{};  ///< of all phases
  std::vector<Index> pressed{};  ///< contacts with a normal impulse (rows_with_impulse())
  int rounds = 1;                ///< 1: the contacts are admissible after the first round
  bool cut = false;              ///< a plastic phase ended it after max_rounds
  bool plastic = false;          ///< omitted a restitution that would raise the energy
  bool open = false;             ///< one end of a segment of solutions
};

/// The rows (m + nc) with an impulse beyond the error of the largest: √A_ii |r_i|, of the unit √J
/// in every row, is more than contact_tolerance times the largest.
std::vector<bool> rows_with_impulse(const ContactRows& rows, const VectorXd& reaction);

/// The closing contacts of an impact, and all its contacts.
struct ContactsOfImpact {
  std::vector<Index> closing;  ///< unilateral, closed, g' < 0 beyond its bound; none: no impact
  std::vector<Index> closed;   ///< unilateral with g = 0 to its bound, and bilateral
};
ContactsOfImpact contacts_of_impact(const FrictionalSystem& system, const ContactTerms& terms,
                                    const ZeroBounds& zero);

/// Why this impact contradicts the law of elastic contacts: every contact with an impulse has
/// e = 1 (or is bilateral) and no friction, but the impact changes the energy. Empty: no
/// contradiction. The plastic phase that ends an impact after max_rounds is one case.
std::string elastic_loss(const FrictionalSystem& system, const Impact& impact);

/// All velocities after an impact at q with v⁻ = `velocity` on the contacts `closed`. Contacts with
/// a given normal force are ignored, because a finite force has no impulse. A round is
///   plastic      u⁺ = A r̃ + u⁻ with the laws of contact/contact_problem.hpp between the
///                velocities u⁺ = (w⁺, g'⁺) and the impulses r̃ (equations 31 to 34)
///   restitution  u = A r + u⁺ with given normal impulses p = e p̃, friction μ e p̃ against w
///                (equation 35); a bilateral contact keeps g' = 0 by any impulse
///
/// If several contacts impact at once, one may close again in the restitution of another. Then the
/// round is repeated from there, and finally a plastic phase ends the impact, which leaves no
/// contact closing. All solutions of the first round are followed; in a later round, the one of
/// least impulse.
///
/// The impulses r̃ of redundant contacts may form a segment, or a larger set, with one velocity u⁺.
/// The least one comes first. Restitution returns a part of each. If the velocities at the ends of
/// the segment differ from that of the least r̃, they follow as further solutions, marked `open`.
///
/// The energy never increases: the work of each round is checked, up to its rounding. If Poisson's
/// law would increase it (several contacts of unequal e, and friction beyond the jamming limit),
/// the restitution is omitted; docs/theory.md, section 10.2, has the proof and the case. Empty: no
/// impulse satisfies the laws.
std::vector<Impact> impacts(const FrictionalSystem& system, const VectorXd& q,
                            const VectorXd& velocity, const std::vector<Index>& closed,
                            const ImpactOptions& options = {});

}  // namespace rigidlimit
