#include <algorithm>

#include "rigidlimit/mechanics/frictional_system_of.hpp"
#include "rigidlimit/systems/bouncing_ball.hpp"
#include "rigidlimit/systems/builtin_codes.hpp"
#include "rigidlimit/systems/frictional_entry.hpp"
#include "rigidlimit/systems/painleve_rod.hpp"
#include "rigidlimit/systems/sliding_sphere.hpp"
#include "rigidlimit/systems/slipping_wheel.hpp"
#include "rigidlimit/systems/slipping_wheel_euler.hpp"
#include "rigidlimit/systems/spinning_disk.hpp"
#include "rigidlimit/systems/two_point_ball.hpp"
#include "rigidlimit/systems/wheel_and_curb.hpp"

namespace rigidlimit {

// Defined in systems/frictional_entry_of.hpp, instantiated at the end of systems/NAME.cpp.
template <FrictionalMechanicalSystem Sys>
FrictionalEntry frictional_entry_of();

const FrictionalCatalogue& builtin_frictional_systems() {
  static const FrictionalCatalogue entries = [] {
    offer(builtin_codes());
    FrictionalCatalogue made;
    for (const auto entry :
         {frictional_entry_of<SlippingWheel>, frictional_entry_of<SlippingWheelEuler>,
          frictional_entry_of<WheelAndCurb>, frictional_entry_of<TwoPointBall>,
          frictional_entry_of<TwoPointBallUnilateral>, frictional_entry_of<SlidingSphere>,
          frictional_entry_of<SpinningDisk>, frictional_entry_of<BouncingBall>,
          frictional_entry_of<PainleveRod>})
      made.push_back(entry());
    return made;
  }();
  return entries;
}

std::vector<double> FrictionalEntry::default_values() const {
  std::vector<double> values;
  for (const ParameterInfo& p : parameters) values.push_back(p.default_value);
  return values;
}

const FrictionalEntry* find_system(const FrictionalCatalogue& systems, std::string_view name) {
  const auto at = std::ranges::find_if(systems, [&](const auto& e) { return e.info.name == name; });
  return at == systems.end() ? nullptr : &*at;
}

}  // namespace rigidlimit
