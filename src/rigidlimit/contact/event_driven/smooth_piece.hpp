// A piece of an event-driven motion: smooth, with fixed modes, up to its first end event.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/contact/event_driven/fixed_modes.hpp"
#include "rigidlimit/contact/event_driven/switched_system.hpp"
#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// Event that ends a piece, as the zero of a function of the state.
enum class PieceEndKind {
  closes,     ///< g of a free contact falls to zero
  opens,      ///< p of a closed unilateral contact falls to zero
  turns,      ///< p of another contact with friction changes its sign
  stops,      ///< the sliding velocity vanishes
  swings,     ///< in space: it has turned by 60° since the piece began
  slows,      ///< in space: it falls below `level`: the direction for stopping is updated
  slips,      ///< μ |p| − |λ| of a sticking contact falls to zero
  exhausted,  ///< redundant contacts have no admissible force left
  kink,       ///< a zero of FrictionalSystem::kinks
  switches    ///< a switch of the equations leaves its side
};

struct PieceEndCause {
  PieceEndKind kind = PieceEndKind::kink;
  Index which = 0;     ///< index in FrictionalSystem::contacts, or of a kink or switch
  int direction = 0;   ///< direction of the sign change
  double level = 0.0;  ///< m/s
};

/// The state at an instant.
struct Instant {
  double t = 0.0;
  VectorXd q;
  VectorXd v;
  EnergyAccounts accounts = EnergyAccounts::Zero();
};

/// Bounds of zero gaps and speeds at an instant with these rows.
ZeroBounds zero_bounds(const FrictionalSystem& system, const ContactRows& rows, const Instant& at,
                       const NonsmoothOptions& options);

struct PieceEnd {
  Outcome outcome =
      Outcome::not_run;  ///< stopped_at_root: see `causes`; success: reached the last time
  std::string message;
  Instant at;
  std::vector<PieceEndCause> causes;
};

/// All possible end events of a piece with these modes.
std::vector<PieceEndCause> possible_ends(const SwitchedSystem& switched,
                                         const ContactStates& states, bool redundant);

/// State carried from piece to piece.
struct PieceHistory {
  Work& work;
  /// NonsmoothOptions::stiff_method is in use: the last piece was stiff and had these modes.
  bool stiff = false;
  bool taken_over = false;  ///< in the last, unfinished solve
};

/// s: resolution of event times; an output time closer before an event counts as on it. 1e-12, or
/// eight roundings of t.
double event_resolution(double t);

/// The motion from `start` with fixed modes and sides through the increasing `times`, all later
/// than it. Calls `output` at each time reached before the end. NonsmoothOptions::stiff_method is
/// used where a contact begins to slip in space, because its friction turns at a rate μ p A/|w|. It
/// is also used where stability limits the steps of NonsmoothOptions::method
/// (contact/event_driven/stiffness_watch.hpp), from the last output on.
PieceEnd run_piece(const SwitchedSystem& switched, const ContactStates& states,
                   const Instant& start, const std::vector<double>& times,
                   const NonsmoothOptions& options, PieceHistory& history,
                   const std::function<void(const Instant&)>& output);

}  // namespace rigidlimit
