// The limits of ideal rolling: Coulomb bounds on its multipliers.
#pragma once

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// The root functions that end rolling, for a problem of system.smooth in y = (q, v, κ, Λ):
/// rigid_dae() of index 2 and rigid_semi_explicit(). One per contact, in N,
///
///   μ |p(q, v, t)| − |λ|,     λ its components of Λ, p its normal force,
///
/// It is positive while the contact may roll; when one becomes negative the solve ends with
/// Outcome::stopped_at_root. Throws InputError, with the name of the contact, unless every normal
/// force is given. It also throws if the contacts are dependent at the start, because their load
/// sharing is then unknown.
RootFunctions friction_bounds(const FrictionalSystem& system, const InitialState& start);

}  // namespace rigidlimit
