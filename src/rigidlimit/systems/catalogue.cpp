#include "rigidlimit/systems/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/formula_names.hpp"
#include "rigidlimit/core/given_unit.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/units.hpp"
#include "rigidlimit/mechanics/system.hpp"
#include "rigidlimit/systems/builtin_codes.hpp"
#include "rigidlimit/systems/closed_forms.hpp"
#include "rigidlimit/systems/rolling/nonholonomic_particle.hpp"
#include "rigidlimit/systems/rolling/rolling_disk.hpp"
#include "rigidlimit/systems/rolling/sleigh_chain.hpp"
#include "rigidlimit/systems/text/embedded_systems.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "rigidlimit/systems/text/system_text.hpp"

namespace rigidlimit {

// Defined in systems/entry_of.hpp, instantiated at the end of systems/NAME.cpp.
template <class Sys>
SystemEntry entry_of();

namespace {

SystemText text_of(const char* toml) {
  return system_text_in(toml, "built-in system");
}

/// The entry of a system written as text.
SystemEntry written(const char* toml, const KnownMotion& known = {}) {
  return entry_of(text_of(toml), known);
}

constexpr const char* wheel_forms =
    "q, v and Lambda of rolling by exponentials, uniform acceleration without drag; without drag "
    "also slipping, then rolling or further slipping";

/// The ball of `two_point_ball`, which may leave the walls.
SystemEntry unilateral(SystemText text) {
  text.name = "two_point_ball_unilateral";
  text.title = "Ball in a V-groove, slipping or rolling on each wall, which it may leave";
  for (SystemText::ContactPoint& contact : text.contacts) contact.normal = Normal::unilateral;
  return entry_of(std::move(text));
}

}  // namespace

const SystemCatalogue& builtin_systems() {
  static const SystemCatalogue entries = [] {
    offer(builtin_codes());
    const SystemText two_point_ball = text_of(two_point_ball_toml);
    return SystemCatalogue{
        written(knife_edge_toml,
                {"q, v and Lambda for a turning rate phi' != 0", knife_edge_motion}),
        written(chaplygin_sleigh_toml,
                {"u, omega, phi, Lambda by tanh and sech; position by quadrature to round-off",
                 chaplygin_sleigh_motion}),
        entry_of<RollingDisk>(),
        entry_of<NonholonomicParticle>(),
        written(rolling_coin_toml,
                {"q, v and Lambda for a turning rate yaw' != 0", rolling_coin_motion}),
        written(wheel_toml, {wheel_forms, wheel_motion, wheel_history}),
        written(wheel_euler_toml, {wheel_forms, wheel_euler_motion, wheel_euler_history}),
        written(turntable_ball_toml, {"q, v and Lambda; in an inertial frame a circle at 2/7 Omega",
                                      turntable_ball_motion}),
        written(v_groove_ball_toml, {"q, v and Lambda (with equal forces across) by exponentials",
                                     v_groove_ball_motion}),
        written(chaplygin_sphere_toml),
        written(rolling_disk_quaternion_toml,
                {"none; the motion is that of rolling_disk; K* + P is conserved when rolling"}),
        written(rattleback_toml, {"none; K* + P is conserved when rolling; the spin reverses"}),
        written(snakeboard_toml),
        written(race_roller_toml, {"q, v and Lambda without gravity", race_roller_motion}),
        written(epicyclic_gear_toml,
                {"q, v and Lambda (with equal sharing of the load)", epicyclic_gear_motion}),
        written(two_blade_dumbbell_toml,
                {"q, v and Lambda on a horizontal plane (slope = 0): uniform rotation",
                 two_blade_dumbbell_motion}),
        sleigh_chain_entry(),
        written(tilted_turntable_ball_toml,
                {"q, v and Lambda: a circle at 2/7 Omega about a drift across the slope",
                 tilted_turntable_ball_motion}),
        written(coin_on_plate_toml,
                {"q, v and Lambda for a turning rate yaw' != 0", coin_on_plate_motion}),
        written(belt_roller_toml, {"q, v and Lambda", belt_roller_motion}),
        written(driven_bearing_toml,
                {"q, v and Lambda (with equal sharing of the load)", driven_bearing_motion}),
        written(wheel_and_curb_toml, {"none; the energy does not grow"}),
        entry_of(two_point_ball),
        unilateral(two_point_ball),
        written(sliding_sphere_toml,
                {"a parabola, then a straight line", {}, sliding_sphere_history}),
        written(spinning_disk_toml, {"steady turning without contour friction; energy balance"}),
        written(
            bouncing_ball_toml,
            {"all impacts, the end of the bouncing, sliding, rolling", {}, bouncing_ball_history}),
        written(painleve_rod_toml),
        written(belt_oscillator_toml,
                {"on a belt of constant speed, from sticking: slips and sticks, harmonic between",
                 {},
                 belt_oscillator_history}),
        written(shaken_ball_toml)};
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
  // entry_of() makes a function of a different type for every struct, and of one type for all
  // texts.
  return known && text_behind(*known) == text_behind(entry) &&
         known->make.target_type() == entry.make.target_type() &&
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

/// The values of a struct are in SI; those of a text are converted.
void check_units(const SystemEntry& entry) {
  if (text_behind(entry) != nullptr) return;
  const auto check = [&](const std::string& name, const std::string& unit) {
    if (fault_in_unit(unit).empty() && si_unit(unit) != unit)
      throw InputError(fmt::format(
          "system '{}': {} is in '{}', but the values of a struct are in SI, here in '{}'; only "
          "a system written as formulas has other units",
          entry.info.name, name, unit, si_unit(unit)));
  };
  for (const ParameterInfo& p : entry.frictional_parameters()) check(p.name, p.unit);
  for (const auto* components :
       {&entry.info.coordinates, &entry.info.velocities, &entry.info.contacts})
    for (const Component& one : *components) check(one.name, one.unit);
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
    check_units(entry);
    check_start(entry);
  }
}

}  // namespace rigidlimit
