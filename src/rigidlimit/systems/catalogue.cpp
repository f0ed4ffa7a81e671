#include "rigidlimit/systems/catalogue.hpp"

#include <iterator>

#include "rigidlimit/mechanics/system.hpp"
#include "rigidlimit/systems/chaplygin_sleigh.hpp"
#include "rigidlimit/systems/chaplygin_sphere.hpp"
#include "rigidlimit/systems/epicyclic_gear.hpp"
#include "rigidlimit/systems/knife_edge.hpp"
#include "rigidlimit/systems/nonholonomic_particle.hpp"
#include "rigidlimit/systems/race_roller.hpp"
#include "rigidlimit/systems/rattleback.hpp"
#include "rigidlimit/systems/rolling_coin.hpp"
#include "rigidlimit/systems/rolling_disk.hpp"
#include "rigidlimit/systems/rolling_disk_quaternion.hpp"
#include "rigidlimit/systems/sleigh_chain.hpp"
#include "rigidlimit/systems/snakeboard.hpp"
#include "rigidlimit/systems/turntable_ball.hpp"
#include "rigidlimit/systems/two_blade_dumbbell.hpp"
#include "rigidlimit/systems/v_groove_ball.hpp"
#include "rigidlimit/systems/wheel.hpp"
#include "rigidlimit/systems/wheel_euler.hpp"

namespace rigidlimit {

// Defined in systems/entry_of.hpp, instantiated at the end of systems/NAME.cpp.
template <MechanicalSystem Sys>
SystemEntry entry_of();

const SystemCatalogue& builtin_systems() {
  static const SystemCatalogue entries{entry_of<KnifeEdge>(),
                                       entry_of<ChaplyginSleigh>(),
                                       entry_of<RollingDisk>(),
                                       entry_of<NonholonomicParticle>(),
                                       entry_of<RollingCoin>(),
                                       entry_of<Wheel>(),
                                       entry_of<WheelEuler>(),
                                       entry_of<TurntableBall>(),
                                       entry_of<VGrooveBall>(),
                                       entry_of<ChaplyginSphere>(),
                                       entry_of<RollingDiskQuaternion>(),
                                       entry_of<Rattleback>(),
                                       entry_of<Snakeboard>(),
                                       entry_of<RaceRoller>(),
                                       entry_of<EpicyclicGear>(),
                                       entry_of<TwoBladeDumbbell>(),
                                       sleigh_chain_entry()};
  return entries;
}

SystemCatalogue with_builtin(SystemCatalogue own) {
  SystemCatalogue all = builtin_systems();
  std::move(own.begin(), own.end(), std::back_inserter(all));
  return all;
}

}  // namespace rigidlimit
