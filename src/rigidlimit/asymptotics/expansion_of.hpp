// From a system to the data of its expansion.
#pragma once

#include "rigidlimit/asymptotics/expansion.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// The data of the expansion from `start` (consistent: E v = 0, G v = 0) with the scaled deflection
/// eta0 (m) at t = 0. Exact rows E hold at every order; M need be positive definite on ker E only.
/// Contacts may be redundant, with a relation between them that does not change along the motion.
///
/// Throws InputError if the expansion does not hold: β ≠ 1, D not positive definite (the layer does
/// not decay), |[E; G] v| > 1e-10 (1 + |v|), invariants not met, no contact that acts at all, or
/// sizes that do not fit.
Expansion expansion_of(const System& system, const InitialState& start, const ViscoelasticLaw& law,
                       const VectorXd& eta0);

}  // namespace rigidlimit
