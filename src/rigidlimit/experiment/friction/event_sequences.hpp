// Comparison of the event sequences of a compliant and the rigid motion.
#pragma once

#include <string>

#include "rigidlimit/experiment/friction/friction_pair.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"

namespace rigidlimit {

/// Both sequences of events up to rigid.end if they differ; empty if they are equal. Kinks of the
/// geometry and accumulations are ignored. So are the events of a contact within a layer
/// layer_width ε after it closes: a compliant impact has a duration, in which it slips, sticks and
/// opens.
std::string note_on_events(const FrictionStudy& study, const RigidSide& rigid,
                           const FrictionMotion& compliant);

}  // namespace rigidlimit
