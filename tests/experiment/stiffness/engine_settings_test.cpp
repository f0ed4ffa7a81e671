// Tests the settings of engines: the contact that they make is the one that was found.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/stiffness/body_shape.hpp"
#include "rigidlimit/experiment/stiffness/find_stiffness.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/sample_friction.hpp"
#include "support/sample_study.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

StiffnessResult answer_for(const PairStudy& study, const std::string& engine,
                           const std::string& wanted, EngineBody body = {}) {
  return find_stiffness(
      study,
      {.wanted = {wanted_error_of(wanted, study)}, .engine = &engine_named(engine), .body = body},
      {});
}

std::map<std::string, double> numbers_of(const StiffnessResult& result) {
  std::map<std::string, double> numbers;
  for (const EngineSetting& one : result.engine.settings) numbers[one.name] = one.number;
  return numbers;
}

FrictionStudy wheel(const std::vector<std::string>& more = {}) {
  std::vector<std::string> all{"expect=[]"};
  all.insert(all.end(), more.begin(), more.end());
  return test::sample_friction(all);
}

FrictionStudy bounce() {
  return read_friction_study(TomlDocument::from_text(R"([study]
name = "bounce"
question = "How far is the soft disc?"
[system]
name = "bouncing_ball"
mass = 2.0
[contact]
tangential_stiffness = 1e4
normal_stiffness = 1e4
tangential_power = [1.5]
[epsilon]
from = 1e-2
to = 1.25e-3
count = 4
[time]
end = 0.45
samples = 61
)",
                                                     "bounce.toml", {}));
}

RollingStudy knife_edge() {
  return test::sample_study({"solvers.compliant=[\"radau_iia\"]", "expect=[]"});
}

struct Grip {
  double mass, gravity, normal_force, end, error;  // kg, m/s², N, s, m
};

/// A body that friction holds against its weight: the rigid one rests.
FrictionStudy held_by(const Grip& grip) {
  return read_friction_study(
      TomlDocument::from_text(fmt::format(R"toml([study]
name = "held"
[system]
name = "held_body"
coordinates = [{{name = "z", unit = "m", start = 0, start_rate = 0}}]
kinetic_coenergy = "mass/2*z'^2"
potential = "mass*gravity*z"
[[system.contacts]]
name = "pad"
normal = "given"
normal_force = "grip"
friction = "mu"
sliding = ["z'"]
[system.parameters]
mass = {{default = {}, unit = "kg", above = 0}}
gravity = {{default = {}, unit = "m/s^2"}}
grip = {{default = {}, unit = "N"}}
mu = {{default = 0.6}}
[contact]
friction = "regularised"
creep = 1.0
[epsilon]
values = [1e-2, 3e-3, 1e-3]
[time]
end = {}
[solvers]
compliant = ["radau_iia_5"]
rtol = 1e-10
atol = 1e-12
)toml",
                                          grip.mass, grip.gravity, grip.normal_force, grip.end),
                              "held.toml", {}));
}

RollingStudy rolling_wheel() {
  return read_rolling_study(test::in_repository("experiments/convergence/wheel.toml"),
                            {"solvers.compliant=[\"radau_iia\"]", "expect=[]"});
}

// b/R = d: MuJoCo's force is (a0 + b w)/(A + R), R = (1 - i)/(i m impratio), b = damping/i.
void expect_damper_of_mujoco(const StiffnessResult& result, double mass, double damping) {
  ASSERT_TRUE(result.found) << result.reason;
  auto all = numbers_of(result);
  const double i = all["solimp[0]"], b = -all["solref[1]"] / i;
  const double R = (1.0 - i) / (i * mass * all["impratio"]);
  EXPECT_NEAR(b / R / damping, 1.0, 1e-12);
  EXPECT_GT(R * mass, 5.0) << "above A of a wheel, 3/m: the damper counts";
  EXPECT_LE(b * all["timestep"], 2.57) << "stable";
}

TEST(EngineSettings, MakeTheDamperThatWasFound) {
  const EngineBody body{.mass = 1.0, .normal_force = 9.81};
  const StiffnessResult exudyn = answer_for(rolling_wheel(), "exudyn", "q=1e-3", body);
  ASSERT_TRUE(exudyn.found) << exudyn.reason;
  const double damping = exudyn.contact.rolling.damping(0, 0);
  EXPECT_DOUBLE_EQ(numbers_of(exudyn)["viscousFriction"] * 9.81, damping);
  expect_damper_of_mujoco(answer_for(rolling_wheel(), "mujoco", "q=1e-3", body), 1.0, damping);
}

TEST(EngineSettings, HaveTheLawOfTheEngine) {
  const StiffnessResult exudyn = answer_for(wheel(), "exudyn", "x=1e-4");
  const FrictionalValues& contact = exudyn.contact.frictional.front();
  EXPECT_DOUBLE_EQ(numbers_of(exudyn)["dryFrictionProportionalZone"], contact.creep);
  expect_damper_of_mujoco(answer_for(wheel(), "mujoco", "x=1e-4"), 1.0,
                          contact.friction * contact.normal_force / contact.creep);
  const StiffnessResult lammps = answer_for(wheel(), "lammps", "x=1e-4");
  const FrictionalValues& spring = lammps.contact.frictional.front();
  auto all = numbers_of(lammps);
  EXPECT_DOUBLE_EQ(all["k_t"], spring.stiffness);
  EXPECT_NEAR(all["x_t"] * all["gamma_n"] / spring.damping, 1.0, 1e-12) << "mass 1 kg";
  // The smoothed law creeps more at the same scale: at a share f of the bound by 1/sqrt(1 - f²).
  const double smoothed = numbers_of(answer_for(wheel(), "drake", "x=1e-4"))["stiction_tolerance"];
  EXPECT_LT(smoothed, contact.creep);
  EXPECT_GT(smoothed, 0.7 * contact.creep);
}

// Newton's kf is a damper up to mu N, and its state has single precision: 24 bits.
TEST(EngineSettings, OfNewtonAreThoseOfItsDamperAboveSinglePrecision) {
  const StiffnessResult newton = answer_for(wheel(), "newton", "x=1e-3");
  ASSERT_TRUE(newton.found) << newton.reason;
  const FrictionalValues& contact = newton.contact.frictional.front();
  auto all = numbers_of(newton);
  EXPECT_DOUBLE_EQ(all["kf"], contact.friction * contact.normal_force / contact.creep);
  EXPECT_LT(all["kf"] * 3.0 * all["timestep"], 2.0) << "1 kg, inverse inertia 3/kg: stable";
  EXPECT_LT(std::sqrt(all["ke"]) * all["timestep"], 2.0) << "the spring too";
  const StiffnessResult fine = answer_for(wheel(), "newton", "x=1e-5");
  EXPECT_FALSE(fine.found);
  EXPECT_THAT(fine.reason, HasSubstr("single precision"));
  EXPECT_TRUE(answer_for(wheel(), "mujoco", "x=1e-5").found) << "negative control";
  EXPECT_THROW(answer_for(bounce(), "newton", "z=1e-2"), InputError);
}

// The normal force of the wheel is m g cos(slope).
TEST(EngineSettings, TheShapeOfEachBuiltinSystemIsKnown) {
  for (const SystemEntry& entry : builtin_systems()) {
    const BodyShape shape = shape_of(entry);
    EXPECT_TRUE(shape.is_known) << entry.info.name;
    EXPECT_NE(shape.name.empty(), shape.words.empty()) << entry.info.name;
    EXPECT_TRUE(shape.name.empty() || std::ranges::count(names_of_shapes(), shape.name) == 1);
  }
  SystemEntry own = *find_system(builtin_systems(), "wheel");
  own.info.name = "skateboard";
  EXPECT_FALSE(shape_of(own).is_known) << "negative control: a system of a file";
  EXPECT_EQ(shape_of(own, "disc").name, "disc");
  EXPECT_THROW(shape_of(own, "blade"), InputError);
  EXPECT_THROW(shape_of(*find_system(builtin_systems(), "knife_edge"), "disc"), InputError);
}

// The row of a blade is no contact of a disc: the answer is the contact of the study's own law.
TEST(EngineSettings, RowsOfABladeHaveNone) {
  const EngineBody body{.mass = 1.0, .normal_force = 9.81};
  for (const char* engine : {"exudyn", "mujoco", "lammps"}) {
    const StiffnessResult blade = answer_for(knife_edge(), engine, "q=1e-3", body);
    ASSERT_TRUE(blade.found) << blade.reason;
    EXPECT_TRUE(blade.engine.settings.empty()) << engine;
    EXPECT_FALSE(blade.no_settings.empty()) << engine;
    EXPECT_GT(blade.contact.rolling.stiffness.size(), 0) << "the spring of the study's law";
    const StiffnessResult disc = answer_for(rolling_wheel(), engine, "q=1e-3", body);
    EXPECT_FALSE(disc.engine.settings.empty()) << "negative control";
    EXPECT_TRUE(disc.no_settings.empty());
  }
}

// A contact of a file with friction is one of a body with a surface; its shape is not known.
TEST(EngineSettings, ABodyOfUnknownShapeHasThoseOfAnyShape) {
  const FrictionStudy study = held_by({0.05, 9.81, 30.0, 5.0, 1e-3});
  EXPECT_FALSE(answer_for(study, "mujoco", "z=1e-3").engine.settings.empty());
  EXPECT_TRUE(answer_for(study, "exudyn", "z=1e-3").engine.settings.empty());
  EXPECT_FALSE(answer_for(study, "exudyn", "z=1e-3", {.shape = "disc"}).engine.settings.empty());
}

TEST(EngineSettings, TakeTheNormalForceOfTheRigidMotion) {
  const FrictionStudy study = wheel({"system.slope=0.3"});
  const StiffnessResult found = answer_for(study, "exudyn", "x=1e-4");
  EXPECT_NEAR(found.contact.frictional.front().normal_force, 9.81 * std::cos(0.3), 1e-9);
  EXPECT_NEAR(
      numbers_of(answer_for(study, "exudyn", "x=1e-4", {.normal_force = 5.0}))["contactStiffness"] /
          numbers_of(found)["contactStiffness"],
      5.0 / (9.81 * std::cos(0.3)), 1e-9);
}

TEST(EngineSettings, AreRefusedBelowTheFloorOfTheEngine) {
  const StiffnessResult drake = answer_for(wheel(), "drake", "x=1e-8");
  EXPECT_FALSE(drake.found);
  EXPECT_THAT(drake.reason, HasSubstr("accuracy"));
  EXPECT_TRUE(answer_for(wheel(), "drake", "x=1e-5").found) << "negative control";
  const StiffnessResult mujoco = answer_for(wheel(), "mujoco", "x=1e-9");
  EXPECT_FALSE(mujoco.found);
  EXPECT_THAT(mujoco.reason, HasSubstr("steps"));
}

TEST(EngineSettings, NeedAContactThatTheEngineHas) {
  const EngineBody body{.mass = 1.0, .normal_force = 9.81};
  EXPECT_THROW(answer_for(rolling_wheel(), "drake", "q=1e-3", body), InputError);
  EXPECT_THROW(answer_for(rolling_wheel(), "newton", "q=1e-3", body), InputError);
  EXPECT_THROW(answer_for(rolling_wheel(), "exudyn", "q=1e-3"), InputError) << "no normal force";
  EXPECT_THROW(answer_for(rolling_wheel(), "exudyn", "q=1e-3", {.mass = 1.0, .normal_force = -1.0}),
               InputError);
  EXPECT_THROW(answer_for(wheel(), "lammps", "v=1e-3"), InputError) << "no error of a position";
  EXPECT_THROW(engine_named("mujocco"), InputError);
  EXPECT_THROW(answer_for(bounce(), "drake", "z=1e-2"), InputError);
  EXPECT_THROW(answer_for(bounce(), "exudyn", "z=1e-2"), InputError) << "its damper pulls";
}

// The normal force of MuJoCo is m (damping g' + stiffness g), that of LAMMPS K g + m gamma_n g'.
TEST(EngineSettings, MakeTheNormalContactOfABounce) {
  const FrictionStudy study = bounce();
  const StiffnessResult mujoco = answer_for(study, "mujoco", "z=1e-2");
  ASSERT_TRUE(mujoco.found) << mujoco.reason;
  const FrictionalValues& floor = mujoco.contact.frictional.front();
  auto all = numbers_of(mujoco);
  EXPECT_NEAR(-all["solref[0]"] * 2.0 / floor.normal_stiffness, 1.0, 1e-12);
  EXPECT_NEAR(-all["solref[1]"] * 2.0 / floor.normal_damping, 1.0, 1e-12);
  auto lammps = numbers_of(answer_for(study, "lammps", "z=1e-2"));
  EXPECT_GT(lammps["K"], 0.0);
  EXPECT_NEAR(lammps["gamma_n"] * 2.0 / std::sqrt(lammps["K"] * 2.0),
              floor.normal_damping / std::sqrt(floor.normal_stiffness * 2.0), 1e-9)
      << "the damping ratio of the restitution";
}

// Row of friction in MuJoCo's manual: a + R F = b w, R = (1 − d)/(d m impratio), b = 2/(d
// timeconst). Steady, a = 0: w = R F/b with F = m g.
double creep_of_mujoco(std::map<std::string, double> all, double mass, double force) {
  const double d = all["solimp[0]"], b = 2.0 / (d * all["solref[0]"]);
  return (1.0 - d) / (d * mass * all["impratio"]) * force / b;
}

// MuJoCo 4.0.0, measured: a capsule of 0.05 kg between two pads of 0.1 kg (inverse inertia along
// the plane 1/0.05 + 1/0.1 = 1/m with m = 1/30 kg), two contact points on each, creeps
// 1.4715000e-6 m in the last 40 of 50 s for impratio 1000, solimp 0.999, solref (0.02, 1).
TEST(EngineSettings, TheLawOfARestIsThatOfMujoco) {
  const std::map<std::string, double> all{
      {"solimp[0]", 0.999}, {"solref[0]", 0.02}, {"impratio", 1000.0}};
  EXPECT_NEAR(creep_of_mujoco(all, 1.0 / 30.0, 0.05 * 9.81 / 4.0) * 40.0, 1.4715e-6,
              1e-6 * 1.4715e-6);
}

// The creep of the settings is the wanted one within the 10 % of the search, at a step that does
// not depend on it: at least 20 in a time constant, at most 100 000 in these runs.
TEST(EngineSettings, ABodyAtRestNeedsNoShortSteps) {
  for (const Grip& grip : {Grip{0.05, 9.81, 30.0, 60.0, 1e-4}, Grip{0.05, 9.81, 30.0, 5.0, 1e-3},
                           Grip{3.0, 1.62, 40.0, 0.5, 1e-5}, Grip{0.4, -9.81, 200.0, 20.0, 1e-7}}) {
    const StiffnessResult found =
        answer_for(held_by(grip), "mujoco", fmt::format("z={}", grip.error));
    ASSERT_TRUE(found.found) << found.reason;
    auto all = numbers_of(found);
    const double creep =
        creep_of_mujoco(all, grip.mass, grip.mass * std::abs(grip.gravity)) * grip.end;
    EXPECT_LE(creep, 1.0001 * grip.error) << grip.error;
    EXPECT_GE(creep, 0.85 * grip.error) << grip.error;
    EXPECT_GE(all["impratio"], 1.0) << "the manual: friction harder than the normal rows";
    EXPECT_LE(all["solimp[0]"], 0.9999) << "MuJoCo clips it there";
    EXPECT_GE(all["solref[0]"], 19.99 * all["timestep"]);
    EXPECT_LE(grip.end / all["timestep"], 1e5);
    EXPECT_EQ(all["solref[1]"], 1.0);
  }
  // Negative control: a wheel that rolls moves, and has the damper of direct solref.
  EXPECT_LT(numbers_of(answer_for(wheel(), "mujoco", "x=1e-4"))["solref[0]"], 0.0);
}

// The error of Drake's steps needs an acceleration. Without one its accuracy is the default, 1e-4.
TEST(EngineSettings, ABodyAtRestHasAFiniteAccuracy) {
  auto all = numbers_of(answer_for(held_by({0.05, 9.81, 30.0, 60.0, 1e-4}), "drake", "z=1e-4"));
  EXPECT_EQ(all["accuracy"], 1e-4);
  EXPECT_LT(numbers_of(answer_for(wheel(), "drake", "x=1e-4"))["accuracy"], 1e-8);
}

}  // namespace
}  // namespace rigidlimit
