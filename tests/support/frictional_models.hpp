// The bodies of support/frictional_bodies.hpp as systems, compiled once.
#pragma once

#include "support/frictional_bodies.hpp"

namespace rigidlimit::test {

FrictionalSystem system_of(const WheelAtAnEdge& wheel);
FrictionalSystem system_of(const BallAboveFloor& ball);
FrictionalSystem system_of(const DumbbellAboveFloor& dumbbell);
FrictionalSystem system_of(const RodOnFloor& rod);

}  // namespace rigidlimit::test
