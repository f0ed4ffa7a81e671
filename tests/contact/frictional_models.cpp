#include "support/frictional_models.hpp"

#include "rigidlimit/mechanics/frictional_system_of.hpp"

namespace rigidlimit::test {

FrictionalSystem system_of(const WheelAtAnEdge& wheel) {
  return make_frictional_system(wheel);
}
FrictionalSystem system_of(const BallAboveFloor& ball) {
  return make_frictional_system(ball);
}
FrictionalSystem system_of(const DumbbellAboveFloor& dumbbell) {
  return make_frictional_system(dumbbell);
}

FrictionalSystem system_of(const RodOnFloor& rod) {
  return make_frictional_system(rod);
}

}  // namespace rigidlimit::test
