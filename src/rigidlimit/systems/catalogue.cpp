#include "rigidlimit/systems/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/formula_names.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/mechanics/system.hpp"
#include "rigidlimit/systems/builtin_codes.hpp"
#include "rigidlimit/systems/friction/bouncing_ball.hpp"
#include "rigidlimit/systems/friction/painleve_rod.hpp"
#include "rigidlimit/systems/friction/sliding_sphere.hpp"
#include "rigidlimit/systems/friction/spinning_disk.hpp"
#include "rigidlimit/systems/friction/two_point_ball.hpp"
#include "rigidlimit/systems/friction/wheel.hpp"
#include "rigidlimit/systems/friction/wheel_and_curb.hpp"
#include "rigidlimit/systems/friction/wheel_euler.hpp"
#include "rigidlimit/systems/rolling/chaplygin_sleigh.hpp"
#include "rigidlimit/systems/rolling/chaplygin_sphere.hpp"
#include "rigidlimit/systems/rolling/epicyclic_gear.hpp"
#include "rigidlimit/systems/rolling/knife_edge.hpp"
#include "rigidlimit/systems/rolling/nonholonomic_particle.hpp"
#include "rigidlimit/systems/rolling/race_roller.hpp"
#include "rigidlimit/systems/rolling/rattleback.hpp"
#include "rigidlimit/systems/rolling/rolling_coin.hpp"
#include "rigidlimit/systems/rolling/rolling_disk.hpp"
#include "rigidlimit/systems/rolling/rolling_disk_quaternion.hpp"
#include "rigidlimit/systems/rolling/sleigh_chain.hpp"
#include "rigidlimit/systems/rolling/snakeboard.hpp"
#include "rigidlimit/systems/rolling/turntable_ball.hpp"
#include "rigidlimit/systems/rolling/two_blade_dumbbell.hpp"
#include "rigidlimit/systems/rolling/v_groove_ball.hpp"

namespace rigidlimit {

// Defined in systems/entry_of.hpp, instantiated at the end of systems/NAME.cpp.
template <MechanicalSystem Sys>
SystemEntry entry_of();

const SystemCatalogue& builtin_systems() {
  static const SystemCatalogue entries = [] {
    offer(builtin_codes());
    SystemCatalogue made;
    for (const auto entry : {entry_of<KnifeEdge>,
                             entry_of<ChaplyginSleigh>,
                             entry_of<RollingDisk>,
                             entry_of<NonholonomicParticle>,
                             entry_of<RollingCoin>,
                             entry_of<Wheel>,
                             entry_of<WheelEuler>,
                             entry_of<TurntableBall>,
                             entry_of<VGrooveBall>,
                             entry_of<ChaplyginSphere>,
                             entry_of<RollingDiskQuaternion>,
                             entry_of<Rattleback>,
                             entry_of<Snakeboard>,
                             entry_of<RaceRoller>,
                             entry_of<EpicyclicGear>,
                             entry_of<TwoBladeDumbbell>,
                             sleigh_chain_entry,
                             entry_of<WheelAndCurb>,
                             entry_of<TwoPointBall>,
                             entry_of<TwoPointBallUnilateral>,
                             entry_of<SlidingSphere>,
                             entry_of<SpinningDisk>,
                             entry_of<BouncingBall>,
                             entry_of<PainleveRod>})
      made.push_back(entry());
    return made;
  }();
  return entries;
}

SystemCatalogue with_builtin(SystemCatalogue own) {
  SystemCatalogue all = builtin_systems();
  std::move(own.begin(), own.end(), std::back_inserter(all));
  return all;
}

bool is_builtin(const SystemEntry& entry) {
  const SystemEntry* known = find_system(builtin_systems(), entry.info.name);
  // entry_of() makes a function of a different type for every struct.
  return known && known->make.target_type() == entry.make.target_type() &&
         known->make_frictional.target_type() == entry.make_frictional.target_type();
}

namespace {

void check_parameters(const SystemEntry& entry) {
  std::set<std::string> names{"name"};  // the key of [system] that names the system itself
  for (const ParameterInfo& p : entry.frictional_parameters()) {
    if (!is_name(p.name))
      throw InputError(fmt::format("system '{}': a parameter cannot be called '{}': it {}",
                                   entry.info.name, printable(p.name), rule_of_names));
    if (!names.insert(p.name).second)
      throw InputError(fmt::format(
          "system '{}': a parameter cannot be called '{}': [system] already has this key",
          entry.info.name, p.name));
  }
}

void check_start(const SystemEntry& entry) {
  const InitialState start = entry.start(entry.default_values());
  const SystemInfo& info = entry.info;
  if (std::ssize(info.coordinates) != start.q.size() ||
      std::ssize(info.velocities) != start.v.size())
    throw InputError(
        fmt::format("system '{}': start() returns {} coordinates and {} velocities, but the struct "
                    "has nq = {} and n = {}",
                    info.name, start.q.size(), start.v.size(), info.coordinates.size(),
                    info.velocities.size()));
}

}  // namespace

void check_catalogue(const SystemCatalogue& systems) {
  std::set<std::string> names;
  for (const SystemEntry& entry : systems) {
    const std::string& name = entry.info.name;
    if (!is_name(name))
      throw InputError(
          fmt::format("a system cannot be called '{}': it {}", printable(name), rule_of_names));
    if (!names.insert(name).second)
      throw InputError(fmt::format(
          "two systems have the name '{}'{}: change info().name of the user-defined system", name,
          find_system(builtin_systems(), name) ? ", one of them built in" : ""));
    if (is_builtin(entry)) continue;
    check_parameters(entry);
    check_start(entry);
  }
}

}  // namespace rigidlimit
