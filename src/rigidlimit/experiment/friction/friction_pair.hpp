// The two compliant motions of one law, solver and ε, and all solves of a friction study as
// records.
#pragma once

#include <functional>
#include <optional>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// An event at a contact of a compliant motion, with the event kinds of a rigid motion.
struct CompliantEvent {
  double t = 0.0;
  EventKind kind = EventKind::touch;  ///< touch, detachment, stick, slip or kink
  Index contact = 0;                  ///< −1 for a kink
};

/// One solve with its result.
struct FrictionMotion {
  FrictionSolve solve;
  Motion motion;  ///< on the requested grid; NaN beyond the end of the solve
  std::vector<CompliantEvent> events;
};

/// The two motions of one law, solver and ε, and the numbers and samples that remain of them.
struct FrictionPair {
  std::size_t law = 0;      ///< index into study.contact.laws
  std::size_t epsilon = 0;  ///< index into study.epsilons
  FrictionMotion base = {};
  FrictionMotion tighter = {};                      ///< not solved if the study compares modes only
  std::optional<Comparison> comparison = {};        ///< in every measure of q, v and λ
  std::optional<MotionModes> modes = {};            ///< if the study asks for them
  std::optional<InequalityReport> inequality = {};  ///< likewise; of the first solver
  std::optional<FrictionCurve> curve = {};          ///< of the first solver
};

/// Solves `one` (with its law, ε, solver and tolerance) at `times`. If the solver rejects the
/// problem or throws, the outcome has a message.
FrictionMotion solve_compliant(const FrictionStudy& study, FrictionMotion one,
                               const std::vector<double>& times,
                               const std::function<bool()>& stop_requested);

/// Time of `event` in a compliant motion: that of the nearest event of the same contact and kind
/// (an impact corresponds to a touch, a reversal to a stick); NaN without such an event.
double matched_time(const ContactEvent& event, const std::vector<CompliantEvent>& events);

/// Names of the samples: "q", "v", "lambda" on the grid; "events", one column per event,
///
///   rigid      t, kind, order (nc), q, v_before, v_after, impulse
///   compliant  t, kind, contact
///
/// where order(c) = k if contact c is the k-th that takes part, 0 if it does not; "words" (rigid),
/// the bytes of the modes at the start, after each event, and of the notes, with a zero after each
/// text; "kinks" (compliant, 1 × 1), the number of located kinks.
///
/// Both pairs of functions are bit-exact round trips. `times`: the grid of the record. Throws
/// DamagedRecord if samples do not fit the system.
SolveRecord record_of(const NonsmoothMotion& motion, const FrictionalSystem& system);
NonsmoothMotion nonsmooth_motion_of(SolveRecord record, const FrictionalSystem& system,
                                    const std::vector<double>& times);

SolveRecord record_of(const FrictionMotion& motion);
/// Sets everything but law, solver and ε.
void take_record(SolveRecord record, const FrictionalSystem& system,
                 const std::vector<double>& times, FrictionMotion& motion);

}  // namespace rigidlimit
