// How far ideal rolling goes: the bounds that Coulomb friction sets to its multipliers.
#pragma once

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// The root functions that end rolling, of a problem of system.smooth in y = (q, v, κ, Λ):
/// rigid_dae() of index 2 and rigid_semi_explicit(). One a contact, N,
///
///   μ |p(q, v, t)| − |λ|,     λ its components of Λ, p its normal force,
///
/// positive while it may roll; where one becomes negative the solve ends, Outcome::stopped_at_root.
/// Throws InputError, with the name of the contact, unless every normal force is given, and where
/// the contacts depend on each other at the start: how they share a load is then not known.
RootFunctions friction_bounds(const FrictionalSystem& system, const InitialState& start);

}  // namespace rigidlimit
