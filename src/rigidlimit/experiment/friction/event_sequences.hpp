// Whether a compliant motion has the events of the rigid one.
#pragma once

#include <string>

#include "rigidlimit/experiment/friction/compliant_motions.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"

namespace rigidlimit {

/// Both sequences of events up to rigid.end, where they differ; empty where they are equal. Kinks
/// of the geometry and accumulations are left out, and so is what a contact does within a layer
/// after it has closed, layer_width ε: a compliant impact takes its time, and slips, sticks and
/// opens.
std::string note_on_events(const FrictionStudy& study, const RigidSide& rigid,
                           const FrictionMotion& compliant);

}  // namespace rigidlimit
