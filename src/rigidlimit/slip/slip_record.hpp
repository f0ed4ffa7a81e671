// Solves of a study of friction as records, and back.
#pragma once

#include "rigidlimit/nonsmooth/nonsmooth_motion.hpp"
#include "rigidlimit/slip/compliant_motions.hpp"
#include "rigidlimit/study/solve_archive.hpp"

namespace rigidlimit {

/// Names of the samples: "q", "v", "lambda" on the grid; "events", a column an event,
///
///   rigid      t, kind, order (nc), q, v_before, v_after, impulse
///   compliant  t, kind, contact
///
/// where order(c) = k if contact c is the k-th that takes part, 0 if it does not; "words" (rigid),
/// the bytes of the modes at the start, after each event, and of the notes, a zero after each text;
/// "kinks" (compliant, 1 × 1), how many were located.
///
/// Both pairs are round trips without a bit lost. `times`: the grid of the record.
SolveRecord record_of(const NonsmoothMotion& motion, const FrictionalSystem& system);
NonsmoothMotion nonsmooth_motion_of(SolveRecord record, const FrictionalSystem& system,
                                    const std::vector<double>& times);

SolveRecord record_of(const SlipMotion& motion);
/// Fills in everything but law, solver and ε.
void take_record(SolveRecord record, const std::vector<double>& times, SlipMotion& motion);

}  // namespace rigidlimit
