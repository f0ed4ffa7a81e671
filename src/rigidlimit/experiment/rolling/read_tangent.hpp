// Reader of [tangent].
#pragma once

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// Lifts the study: its system, start and contact become those of the tangent lift along the
/// direction in [tangent], and study.tangent keeps what the file states. To be called after
/// read_contact(). The damping of a ratio is that of the system: it is a constant of the
/// derivative.
void read_tangent(Section section, RollingStudy& study);

}  // namespace rigidlimit
