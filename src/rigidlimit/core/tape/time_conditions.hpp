// Conditions of a tape that depend on one argument alone, such as a force that begins at t = 2.
#pragma once

#include <vector>

#include "rigidlimit/core/tape/tape.hpp"

namespace rigidlimit {

/// A tape is smooth between two changes of its conditions. A condition is a comparison a < b, a ≤ b
/// or a = b, whose function is σ = a − b, or an absolute value |a| with σ = a. These functions
/// treat the conditions whose σ depends on argument number `time` and on no other one. A condition
/// without arguments is a constant.

/// Whether the tape has such conditions.
bool has_time_conditions(const Tape& tape, std::uint32_t time);

/// The sign changes of their σ in (from, to), increasing (core/sign_changes.hpp).
std::vector<double> time_condition_changes(const Tape& tape, std::uint32_t time, double from,
                                           double to);

/// The tape with each of them as at the time t, for all values of the argument.
Tape with_time_conditions_at(const Tape& tape, std::uint32_t time, double t);

}  // namespace rigidlimit
