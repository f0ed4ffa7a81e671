#include "rigidlimit/experiment/stiffness/body_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

namespace {

struct KnownShape {
  const char* system;
  const char* shape;  ///< "": neither a disc nor a ball on one surface
  const char* words;
};

constexpr std::array known_shapes{
    KnownShape{"rolling_disk", "disc", ""},
    KnownShape{"rolling_disk_quaternion", "disc", ""},
    KnownShape{"rolling_coin", "disc", ""},
    KnownShape{"coin_on_plate", "disc", ""},
    KnownShape{"wheel", "disc", ""},
    KnownShape{"wheel_euler", "disc", ""},
    KnownShape{"spinning_disk", "disc", ""},
    KnownShape{"bouncing_ball", "disc", ""},
    KnownShape{"turntable_ball", "ball", ""},
    KnownShape{"tilted_turntable_ball", "ball", ""},
    KnownShape{"chaplygin_sphere", "ball", ""},
    KnownShape{"sliding_sphere", "ball", ""},
    KnownShape{"shaken_ball", "ball", ""},
    KnownShape{"knife_edge", "", "a skate"},
    KnownShape{"chaplygin_sleigh", "", "a sleigh on a blade"},
    KnownShape{"two_blade_dumbbell", "", "a body on two blades"},
    KnownShape{"sleigh_chain", "", "a train of sleighs on blades"},
    KnownShape{"snakeboard", "", "a board on wheels without a rolling radius"},
    KnownShape{"nonholonomic_particle", "", "a particle"},
    KnownShape{"rattleback", "", "an ellipsoid"},
    KnownShape{"race_roller", "", "a roller between two races"},
    KnownShape{"belt_roller", "", "a roller between two belts"},
    KnownShape{"driven_bearing", "", "a bearing with several rollers"},
    KnownShape{"epicyclic_gear", "", "a gear with several meshes"},
    KnownShape{"v_groove_ball", "", "a ball between two walls"},
    KnownShape{"two_point_ball", "", "a ball between two walls"},
    KnownShape{"two_point_ball_unilateral", "", "a ball between two walls"},
    KnownShape{"wheel_and_curb", "", "a wheel with a wall, a step and a floor"},
    KnownShape{"painleve_rod", "", "a rod"},
    KnownShape{"belt_oscillator", "", "a block"}};

}  // namespace

BodyShape shape_of(const SystemEntry& entry) {
  if (!is_builtin(entry)) return {};
  const auto* const at = std::ranges::find_if(
      known_shapes, [&](const KnownShape& known) { return entry.info.name == known.system; });
  if (at == known_shapes.end()) return {};
  return {.is_known = true, .name = at->shape, .words = at->words};
}

BodyShape shape_of(const SystemEntry& entry, const std::string& given) {
  const BodyShape known = shape_of(entry);
  if (given.empty()) return known;
  const std::vector<std::string> names = names_of_shapes();
  if (std::ranges::count(names, given) == 0)
    throw InputError(
        fmt::format("'{}' is neither disc nor ball{}", given, suggestion(given, names)), "body");
  if (known.is_known && known.name != given)
    throw InputError(fmt::format("{} is {}, no {}", entry.info.name,
                                 known.name.empty() ? known.words : "a " + known.name, given),
                     "body");
  return {.is_known = true, .name = given};
}

std::vector<std::string> names_of_shapes() {
  return {"disc", "ball"};
}

}  // namespace rigidlimit
