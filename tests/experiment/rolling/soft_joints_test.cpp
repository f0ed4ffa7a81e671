// Tests joints whose rows are the rates of positions (constraint_position).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <string>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A pendulum of 1 kg and 1 m from the horizontal at rest. `joint`: a key of [system] with its
/// rows.
std::string pendulum(const std::string& joint, const std::string& more = "",
                     const std::string& start = "1.0") {
  return fmt::format(R"toml(
[study]
name = "pendulum"
[system]
name = "pinned"
coordinates = [{{name = "x", unit = "m", start = {}, start_rate = 0.0}},
               {{name = "y", unit = "m", start = 0.0, start_rate = 0.0}}]
kinetic_coenergy = "mass/2*(x'^2 + y'^2)"
potential = "mass*gravity*y"
{}
[system.parameters]
mass = {{default = 1.0, unit = "kg", above = 0.0}}
length = {{default = 1.0, unit = "m", above = 0.0}}
gravity = {{default = 9.81, unit = "m/s^2"}}
[time]
end = 2.0
[epsilon]
values = [1e-3, 5e-4, 2.5e-4]
[solvers]
compliant = ["radau_iia"]
{}
)toml",
                     start, joint, more);
}

constexpr const char* by_position =
    "constraint_position = [{name = \"pin\", unit = \"m\", value = \"sqrt(x^2 + y^2) - length\"}]";
constexpr const char* by_velocity = "constraint = [\"(x*x' + y*y')/sqrt(x^2 + y^2)\"]";

RollingStudy read(const std::string& text) {
  return read_rolling_study(TomlDocument::from_text(text, "pendulum.toml"));
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SoftJoint, ItsRowIsTheRateOfItsPosition) {
  const System joint = read(pendulum(by_position)).model, rows = read(pendulum(by_velocity)).model;
  EXPECT_EQ(joint.np, 1);
  EXPECT_EQ(rows.np, 0) << "negative control";
  std::minstd_rand random(3);
  std::uniform_real_distribution<double> any(-2.0, 2.0);
  for (int k = 0; k < 20; ++k) {
    const Vector<double, 2> q(any(random), any(random));
    VectorXd g(1);
    MatrixXd G(1, 2), same(1, 2);
    joint.in<double>().positions(q, g);
    joint.in<double>().constraints(q, G);
    rows.in<double>().constraints(q, same);
    EXPECT_NEAR(g(0), q.norm() - 1.0, 1e-15);
    EXPECT_LT((G - same).cwiseAbs().maxCoeff(), 4e-16);
  }
}

/// The rate of g(q, t) has the part ∂g/∂t in the column of the clock.
TEST(SoftJoint, AMovingOneHasItsVelocityInTheColumnOfTheClock) {
  const RollingStudy study =
      read(pendulum("constraint_position = [{unit = \"m\", value = \"x - 1 - 0.2*sin(3*t)\"}]\n",
                    "[initial]\nv = [0.6, 0.0]"));
  ASSERT_EQ(study.model.nq, 3);
  MatrixXd rows(study.model.ne + 1, 3);
  const Vector<double, 3> q(1.0, 0.5, 0.7);
  study.model.in<double>().constraints(q, rows);
  EXPECT_NEAR(rows(study.model.ne, 0), 1.0, 1e-15);
  EXPECT_NEAR(rows(study.model.ne, 2), -0.6 * std::cos(2.1), 1e-15);
}

/// K of q and v: an own solve and a proof (132.365694 ± 3e-7 and 586.905643 ± 2e-6). With g → s g
/// and C → C/s² the motion is the same: x² + y² − L² has s = 2 L on g = 0.
TEST(SoftJoint, ThePendulumHasItsConstantInEveryFormOfItsPosition) {
  for (const std::string& text :
       {pendulum(by_position),
        pendulum("constraint_position = [{unit = \"m^2\", value = \"x^2 + y^2 - length^2\"}]",
                 "[contact]\nstiffness = 0.25")}) {
    const RollingResult result = run_rolling_study(read(text), {});
    int seen = 0;
    for (const Series& series : result.series) {
      const Row& last = series.rows.back();
      if (last.measure.norm != Norm::sup || last.measure.window != Window::all) continue;
      if (last.measure.quantity == Quantity::lambda) continue;
      const double wanted = last.measure.quantity == Quantity::q ? 132.3656935 : 586.905643;
      EXPECT_NEAR(last.predicted_coefficient, wanted, 3e-9 * wanted);
      EXPECT_NEAR(last.ratio, 1.0, 0.003);
      ++seen;
    }
    EXPECT_EQ(seen, 2);
  }
}

/// The rigid side restores g at the rate γ = 10/s, so that g stays of the size of the local error.
TEST(SoftJoint, TheRigidSideKeepsItsPosition) {
  const std::string longer = "[output]\nsamples = \"all\"";
  const auto drift = [&](const char* joint) {
    RollingStudy study = read(pendulum(joint, longer));
    study.time.end = 60.0;
    study.epsilons = {0.1};
    RunOptions options;
    const RollingResult result = run_rolling_study(study, options);
    double largest = 0.0;
    for (const RigidReport& rigid : result.rigid)
      largest = std::max(largest, rigid.invariant_drift);
    return largest;
  };
  EXPECT_GT(drift(by_position), 0.0);
  EXPECT_LT(drift(by_position), 1e-10);
  EXPECT_EQ(drift(by_velocity), 0.0) << "a velocity row has no position";
}

TEST(SoftJoint, AnOpenStartIsRefusedWithItsSizeAndTheClosedStart) {
  const std::string text = refusal(pendulum(by_position, "", "1.25"));
  EXPECT_THAT(text, AllOf(HasSubstr("pin"), HasSubstr("0.25"), HasSubstr("[1, 0]")));
  EXPECT_THAT(refusal(pendulum(by_position, "[initial]\nq = [0.6, 0.8001]")), HasSubstr("pin"));
  EXPECT_EQ(refusal(pendulum(by_position, "[initial]\nq = [0.6, 0.8]\nv = [0.0, 0.0]")), "")
      << "negative control: rounding is no gap";
}

TEST(SoftJoint, WrongPositionsAreRefused) {
  const auto of = [](const char* entry) {
    return refusal(pendulum(fmt::format("constraint_position = [{}]", entry)));
  };
  EXPECT_THAT(of("{value = \"length - 1\"}"), HasSubstr("constrains nothing"));
  EXPECT_THAT(of("{value = \"x*x' - 1\"}"), HasSubstr("x'")) << "a position has no velocities";
  EXPECT_THAT(of("{name = \"pin\"}"), HasSubstr("value"));
  EXPECT_THAT(of("{value = \"sqrt(x^2 + y^2) - length\", unit = \"metre per\"}"),
              HasSubstr("unit"));
  EXPECT_THAT(of("{value = \"sqrt(x^2 + y^2) - length\", row = \"x\"}"), HasSubstr("row"));
  EXPECT_THAT(of("\"x - 1\""), HasSubstr("value")) << "not a list of tables";
  EXPECT_THAT(of("{value = \"sqrt(x^2 + y^2) - length\"}, {value = \"x^2 + y^2 - length^2\"}"),
              HasSubstr("dependent"));
  EXPECT_THAT(refusal(pendulum(by_position, "[contact]\npreparation = \"prepared\"")),
              HasSubstr("prepared"));
}

/// The text of a study with joints reads back as the same joints.
TEST(SoftJoint, IsKeptInTheResolvedStudy) {
  const RollingStudy study = read(pendulum(by_position));
  const RollingStudy again =
      read_rolling_study(TomlDocument::from_text(resolved_toml(study), "resolved.toml"));
  EXPECT_EQ(again.model.np, 1);
  EXPECT_EQ(again.system->info.contacts.front().name, "pin");
  EXPECT_EQ(again.system->info.contacts.front().unit, "m/s");
}

}  // namespace
}  // namespace rigidlimit
