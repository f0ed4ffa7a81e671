// The jump of the velocity where contacts close with a speed: Newton and Poisson's restitution,
// Routh's friction (Grzesikiewicz & Zbiciak 2020, equations 31 to 35 and 95 to 113).
#pragma once

#include <vector>

#include "rigidlimit/nonsmooth/contact_terms.hpp"

namespace rigidlimit {

struct ImpactOptions {
  double speed_tolerance = 1e-10;  ///< m/s: a contact that closes no faster is admissible
  int max_rounds = 50;             ///< of plastic phase and restitution phase
  VectorXd compliance{};           ///< NonsmoothOptions::compliance
};

/// One answer of the law.
struct Impact {
  VectorXd velocity;     ///< v⁺ (n)
  VectorXd reaction;     ///< r = (−λ, p) of all phases, m + nc, N s: M (v⁺ − v⁻) = Hᵀ r
  VectorXd rate;         ///< (w, g') afterwards, m + nc
  int rounds = 1;        ///< 1: the contacts are admissible after the first
  bool cut = false;      ///< after max_rounds a plastic phase ended it
  bool plastic = false;  ///< a restitution would have raised the energy, and was left out
  bool open = false;     ///< one end of a whole segment of answers
};

/// Who strikes, and who takes part in it.
struct ContactsOfImpact {
  std::vector<Index> closing;  ///< unilateral, closed, g' < −speed_tolerance; none: no impact
  std::vector<Index> closed;   ///< unilateral with g ≤ gap_tolerance, and bilateral
};
ContactsOfImpact contacts_of_impact(const FrictionalSystem& system, const ContactTerms& terms,
                                    double gap_tolerance, double speed_tolerance);

/// All velocities after an impact at q with v⁻ = `velocity` on the contacts `closed`. Of those with
/// a given normal force nothing is asked: a finite force has no impulse. A round is
///
///   plastic      u⁺ = A r̃ + u⁻ with the laws of complementarity/contact_problem.hpp between the
///                velocities u⁺ = (w⁺, g'⁺) and the impulses r̃ (equations 31 to 34)
///   restitution  u = A r + u⁺ with given normal impulses p = e p̃, friction μ e p̃ against w
///                (equation 35); a bilateral contact keeps g' = 0 by what impulse it takes
///
/// Where several contacts strike at once, one may close again in the restitution of another: then
/// the round is repeated from there, and at last a plastic phase ends it, which leaves no contact
/// closing. Several answers of the first round are all followed, of a later one the least impulse.
///
/// The impulses r̃ of redundant contacts may be a whole segment, or more, with one velocity u⁺. The
/// least one comes first. Restitution returns a part of each: where the velocities at the ends of
/// the segment differ from that of the least r̃, they follow as further answers, marked `open`.
///
/// Energy is never won: the work of a round is looked at. Where Poisson's law would win some
/// (several contacts of unequal e, and friction beyond what lets them jam) the restitution is left
/// out; docs/theory.md, section 10.2, has the proof and the case. Empty: no impulse obeys the laws.
std::vector<Impact> impacts(const FrictionalSystem& system, const VectorXd& q,
                            const VectorXd& velocity, const std::vector<Index>& closed,
                            const ImpactOptions& options = {});

}  // namespace rigidlimit
