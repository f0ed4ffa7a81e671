// Which modes the contacts take: what the contact problem of the accelerations says.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/nonsmooth/smooth_piece.hpp"

namespace rigidlimit {

struct ModeDecision {
  bool found = false;  ///< false: no mode obeys the laws
  ContactStates states;
  std::vector<std::string> notes;  ///< several answers
};

/// "t = 0.25, q = (…), v = (…)".
std::string text_of(const Instant& at);

/// Unilateral contacts that neither are apart (g > gap_tolerance) nor separate
/// (g' > speed_tolerance), and all others.
std::vector<bool> in_contact(const FrictionalSystem& system, const ContactTerms& terms,
                             const NonsmoothOptions& options);

/// Modes at an instant that no piece leads to: a start, or just after an impact. A contact slips if
/// |w| > speed_tolerance. Of several answers the one that keeps most of the modes `before`.
ModeDecision decide_modes(const FrictionalSystem& system, const Instant& at,
                          const ContactStates& before, const NonsmoothOptions& options);

/// Modes at the end of a piece without impact, whose state is continuous.
///
/// Where a force has just come to its bound the old modes and the new ones agree at that instant.
/// So the problem is put a little later, at 1e-6 s, 1e-5 s, … 1e-3 s along the old motion, at the
/// first of which the answer differs from the old modes. `before` are those of the piece.
ModeDecision decide_modes_after(const FrictionalSystem& system, const PieceEnd& end,
                                const ContactStates& before, const NonsmoothOptions& options);

/// (λ, p) of Motion::lambda in these modes. Of redundant contacts the least reaction that obeys the
/// laws.
VectorXd forces_within(const FrictionalSystem& system, const ContactStates& states,
                       const Instant& at, const NonsmoothOptions& options);

}  // namespace rigidlimit
