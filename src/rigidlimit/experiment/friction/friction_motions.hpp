// The motions of a friction study: compliant solves, and rigid motions as records.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/pair/compliant_pair.hpp"
#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// Solves the compliant motion of one law, solver and ε at `times`. If the solver rejects the
/// problem or throws, the outcome has a message.
CompliantMotion solve_compliant(const FrictionStudy& study, const ComparedLaw& law,
                                const std::string& solver, double epsilon, bool tighter,
                                const std::vector<double>& times,
                                const std::function<bool()>& stop_requested);

/// Time of `event` in a compliant motion: that of the nearest event of the same contact and kind
/// (an impact corresponds to a touch, a reversal to a stick); NaN without such an event.
double matched_time(const ContactEvent& event, const std::vector<CompliantEvent>& events);

MotionSizes sizes_of(const FrictionalSystem& system);

/// Samples of a rigid motion: "q", "v", "lambda" on the grid; "events", one column per event,
///
///   t, kind, order (nc), q, v_before, v_after, impulse
///
/// where order(c) = k if contact c is the k-th that takes part, 0 if it does not; "words", the
/// bytes of the modes at the start, after each event, and of the notes, with a zero after each
/// text.
///
/// A bit-exact round trip. `times`: the grid of the record. Throws DamagedRecord if samples do not
/// fit the system.
SolveRecord record_of(const NonsmoothMotion& motion, const FrictionalSystem& system);
NonsmoothMotion nonsmooth_motion_of(SolveRecord record, const FrictionalSystem& system,
                                    const std::vector<double>& times);

}  // namespace rigidlimit
