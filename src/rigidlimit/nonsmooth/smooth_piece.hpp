// A piece of an event-driven motion: smooth, with fixed modes, up to the first thing that ends it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/nonsmooth/fixed_modes.hpp"
#include "rigidlimit/nonsmooth/nonsmooth_motion.hpp"

namespace rigidlimit {

/// What ends a piece, as the zero of a function of the state.
enum class PieceEndKind {
  closes,  ///< g of a free contact falls to zero
  opens,   ///< p of a closed unilateral contact falls to zero
  turns,   ///< p of another contact with friction changes its sign
  stops,   ///< the sliding velocity vanishes
  swings,  ///< in space: it has turned by 60° since the piece began
  slows,   ///< in space: it falls below `level`: the direction is taken anew, with which it stops
  slips,   ///< μ |p| − |λ| of a sticking contact falls to zero
  exhausted,  ///< of redundant contacts: no admissible force is left
  kink        ///< a zero of FrictionalSystem::kinks
};

struct PieceEndCause {
  PieceEndKind kind = PieceEndKind::kink;
  Index which = 0;     ///< of FrictionalSystem::contacts; of kinks
  int direction = 0;   ///< of the change of sign that counts
  double level = 0.0;  ///< m/s
};

/// The state at an instant.
struct Instant {
  double t = 0.0;
  VectorXd q;
  VectorXd v;
  EnergyAccounts accounts = EnergyAccounts::Zero();
};

struct PieceEnd {
  Outcome outcome =
      Outcome::not_run;  ///< stopped_at_root: `causes` says why; success: times are up
  std::string message;
  Instant at;
  std::vector<PieceEndCause> causes;
};

/// Everything that can end a piece with these modes.
std::vector<PieceEndCause> possible_ends(const FrictionalSystem& system,
                                         const ContactStates& states, bool redundant);

/// What passes from piece to piece.
struct PieceHistory {
  Work& work;
  /// NonsmoothOptions::stiff_method is in charge: the last piece was stiff, and the modes are its.
  bool stiff = false;
  bool taken_over = false;  ///< in the last solve, which is not at its end
};

/// s: events are located no better, and an output time no farther than this before an event counts
/// as on it. 1e-12, or eight roundings of t.
double event_resolution(double t);

/// The motion from `start` with fixed modes through the increasing `times`, all later than it;
/// `output` is called at each that is reached before the end. NonsmoothOptions::stiff_method is in
/// charge where a contact begins to slip in space, whose friction turns at a rate μ p A/|w|; and
/// where stability holds the steps of NonsmoothOptions::method (nonsmooth/stiffness_watch.hpp),
/// from the last output on.
PieceEnd run_piece(const FrictionalSystem& system, const ContactStates& states,
                   const Instant& start, const std::vector<double>& times,
                   const NonsmoothOptions& options, PieceHistory& history,
                   const std::function<void(const Instant&)>& output);

}  // namespace rigidlimit
