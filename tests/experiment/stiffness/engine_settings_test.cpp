// Tests the settings of engines: the contact that they make is the one that was found.
#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/stiffness/find_stiffness.hpp"
#include "support/sample_friction.hpp"
#include "support/sample_study.hpp"

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
  const StiffnessResult exudyn = answer_for(knife_edge(), "exudyn", "q=1e-3", body);
  ASSERT_TRUE(exudyn.found) << exudyn.reason;
  const double damping = exudyn.contact.rolling.damping(0, 0);
  EXPECT_DOUBLE_EQ(numbers_of(exudyn)["viscousFriction"] * 9.81, damping);
  expect_damper_of_mujoco(answer_for(knife_edge(), "mujoco", "q=1e-3", body), 1.0, damping);
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

// The normal force of the wheel is m g cos(slope).
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
  EXPECT_THROW(answer_for(knife_edge(), "drake", "q=1e-3", body), InputError);
  EXPECT_THROW(answer_for(knife_edge(), "exudyn", "q=1e-3"), InputError) << "no normal force";
  EXPECT_THROW(answer_for(knife_edge(), "exudyn", "q=1e-3", {1.0, -1.0}), InputError);
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

}  // namespace
}  // namespace rigidlimit
