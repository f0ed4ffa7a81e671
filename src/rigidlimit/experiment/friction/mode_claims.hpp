// Modes of motions from their samples, and the claims about them.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// The claims of [history] and of [[expect]] with quantity = "modes". If a file has such claims, or
/// compares modes only (time.compared = 0), the first claim is that every compliant solve succeeds.
std::vector<Claim> mode_claims(const FrictionStudy& study, const std::vector<MotionModes>& motions);

/// |w_i| of each contact at a state, m/s; infinite for a contact without friction.
VectorXd sliding_speeds(const FrictionalSystem& system, const VectorXd& q, const VectorXd& v);

/// The modes of all contacts in the order of time, without repetition: "slip,slip > stick,stick".
/// A contact is free if g > 1e-10 m; it sticks if its sliding speed is below `slow` (m/s) at two
/// consecutive times, since a reversal at one time is not sticking; else it slips. Empty: the
/// motion has no state.
std::string mode_sequence(const FrictionalSystem& system, const Motion& motion, double slow);

/// "stick,stick", the last modes of a sequence.
std::string last_modes(const std::string& sequence);

}  // namespace rigidlimit
