// Decides the modes of the contacts, from the contact problem of the accelerations.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/contact/event_driven/smooth_piece.hpp"

namespace rigidlimit {

struct ModeDecision {
  bool found = false;  ///< false: no mode satisfies the laws
  ContactStates states;
  std::vector<std::string> answers;  ///< the modes of all solutions: "slip,slip"
  std::vector<std::string> notes;    ///< several solutions
};

/// In the notes of a motion at instants with several solutions.
inline constexpr const char* several_solutions = "satisfy the laws";

/// "t = 0.25, q = (…), v = (…)".
std::string text_of(const System& system, const Instant& at);

/// Unilateral contacts that are neither apart (g > 0) nor separating (g' > 0), beyond the bounds of
/// zero, and all others.
std::vector<bool> in_contact(const FrictionalSystem& system, const ContactTerms& terms,
                             const ZeroBounds& zero);

/// Modes at an instant without a previous piece: a start, or just after an impact. A contact slips
/// if |w| is not zero. Of several solutions, the one that keeps most of the modes `before`.
ModeDecision decide_modes(const FrictionalSystem& system, const Instant& at,
                          const ContactStates& before, const NonsmoothOptions& options);

/// Modes at the end of a piece without impact, whose state is continuous.
///
/// When a force has just reached its bound, the old and the new modes agree at that instant. The
/// problem is therefore posed slightly later, at 1e-6 s, 1e-5 s, … 1e-3 s along the old motion,
/// until the solution differs from the old modes. `before` are those of the piece.
ModeDecision decide_modes_after(const FrictionalSystem& system, const PieceEnd& end,
                                const ContactStates& before, const NonsmoothOptions& options);

/// (λ, p) of Motion::lambda in these modes. For redundant contacts the least reaction that
/// satisfies the laws.
VectorXd forces_within(const FrictionalSystem& system, const ContactStates& states,
                       const Instant& at, const NonsmoothOptions& options);

}  // namespace rigidlimit
