// Conversion of the solves of a friction study to records and back.
#pragma once

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/experiment/friction/friction_pair.hpp"
#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

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
