// Validation of a user-defined system before any solve.
#pragma once

#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// Throws InputError unless there are fewer exact rows than velocities.
void require_freedom(const System& system);

/// Evaluates every function of `system` at the start (q, v) and at three points near it. Throws
/// InputError with the function and the point if
///
///   - there are as many exact rows as velocities, or more;
///   - a value is not finite;
///   - M is not symmetric, or not positive definite on ker E;
///   - K* is not quadratic in v: the momentum ∂K*/∂v is not linear;
///   - an invariant e(q) does not vanish at the start, or the motion q' = T v with E v = 0 changes
///   it;
///   - E v ≠ 0 at the start: exact constraints hold on both sides of the pair.
///
/// Sliding, G v ≠ 0, is checked by the study. `name` starts every message.
void check_system(const System& system, const std::string& name, const InitialState& start);

}  // namespace rigidlimit
