// Tests systems with contacts written as text, in friction studies and rolling studies.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// The wheel of the catalogue as text, with a sliding start.
const std::string written_wheel = R"toml([system]
name = "written_wheel"
coordinates = [{name = "x", unit = "m", start = 0.0, start_rate = 1.0},
               {name = "phi", unit = "rad", start = 0.0, start_rate = 0.0}]
mass_matrix = [["mass", "0"], ["0", "axial_ratio*mass*radius*radius"]]
force = ["mass*downhill - drag*x'", "0"]
potential = "-(mass*downhill)*x"
quasi_velocities = ["x'"]
[[system.contacts]]
name = "ground"
normal = "given"
normal_force = "mass*gravity*cos(slope)"
friction = "mu"
sliding = ["x' - radius*phi'"]
[system.let]
downhill = "gravity*sin(slope)"
[system.parameters]
mu.default = 0.25
mass.default = 1.0
radius.default = 0.25
axial_ratio.default = 0.5
slope.default = 0.3
gravity.default = 9.81
drag.default = 2.0
)toml";

/// The bouncing disc of the catalogue as text.
const std::string written_ball = R"toml([system]
name = "written_ball"
coordinates = [{name = "x", start = 0.0, start_rate = 0.4},
               {name = "z", start = "radius + 0.5", start_rate = 0.0},
               {name = "phi", start = 0.0, start_rate = 0.0}]
mass_matrix = [["mass", "0", "0"], ["0", "mass", "0"], ["0", "0", "inertia"]]
force = ["0", "-mass*gravity", "0"]
potential = "(mass*gravity)*z"
let.inertia = "inertia_ratio*mass*radius*radius"
[[system.contacts]]
name = "floor"
normal = "unilateral"
gap = "z - radius"
friction = "friction"
restitution = "restitution"
sliding = ["x' + radius*phi'"]
[system.parameters]
mass.default = 1.0
radius.default = 0.1
inertia_ratio.default = 0.5
gravity.default = 9.81
friction.default = 0.2
restitution.default = 0.5
)toml";

std::string study_of(const std::string& system, const std::string& rest) {
  return "[study]\nname = \"sample\"\n" + system + rest;
}

FrictionStudy friction_of(const std::string& system) {
  return read_friction_study(TomlDocument::from_text(
      study_of(system,
               "[epsilon]\nvalues = [1e-2]\n[time]\nend = 0.6\nsamples = 61\n"
               "[solvers]\nmoreau_jean = [1e-3]\n"),
      "sample.toml"));
}

std::string refusal(const std::string& system) {
  try {
    friction_of(system);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

bool same_bits(const MatrixXd& a, const MatrixXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

/// The event-driven rigid motion and the compliant motion.
std::array<Motion, 2> motions(const FrictionStudy& study) {
  const std::vector<double> times = test::uniform_grid(0.0, 0.6, 12);
  const auto compliant = frictional_compliant(study.model, study.initial,
                                              law_of(study, study.contact.laws.front()), 1e-2);
  SolveOptions options;
  options.rtol = 1e-9;
  options.atol = 1e-11;
  return {event_driven_motion(study.model, study.initial, times).motion,
          compliant.motion(find_ode_method("cvode_bdf")->solve(compliant.problem, times, options))};
}

TEST(FrictionalText, ComputesTheBitsOfAStruct) {
  for (const auto& [text, name] :
       {std::pair(written_wheel, "wheel"), {written_ball, "bouncing_ball"}}) {
    const FrictionStudy written = friction_of(text);
    FrictionStudy compiled = friction_of(fmt::format("[system]\nname = \"{}\"\n", name));
    compiled.initial = written.initial;
    const std::array<Motion, 2> a = motions(written), b = motions(compiled);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_TRUE(same_bits(a[i].q, b[i].q)) << name;
      EXPECT_TRUE(same_bits(a[i].v, b[i].v)) << name;
      EXPECT_TRUE(same_bits(a[i].lambda, b[i].lambda)) << name;
    }
    // Negative control: a change of the friction changes the motion.
    compiled.parameters[6 < compiled.parameters.size() ? 6 : 4] += 1e-6;
    compiled.model = compiled.system->make_frictional(compiled.parameters);
    EXPECT_FALSE(same_bits(motions(compiled)[1].v, a[1].v)) << name;
  }
}

// The values are those of the study, whose table [system] is the place.
TEST(FrictionalText, RefusesValuesThatViolateACondition) {
  const std::string curb = "[system]\nname = \"wheel_and_curb\"\nheight = ";
  EXPECT_THAT(refusal(curb + "0.1\n"),
              AllOf(HasSubstr("sample.toml:3:1: system: "), HasSubstr("'height < radius'"),
                    HasSubstr("radius = 0.1 m, height = 0.1 m: a step as high as the axle")));
  EXPECT_EQ(refusal(curb + "0.0999\n"), "");
}

TEST(FrictionalText, SeparatesTheParametersOfContacts) {
  const FrictionStudy study = friction_of(written_wheel);
  EXPECT_EQ(study.system->parameters.size(), 6u);
  ASSERT_EQ(study.system->contact_parameters.size(), 1u);
  EXPECT_EQ(study.system->contact_parameters[0].name, "mu");
  EXPECT_THAT(study.parameters, ElementsAre(1.0, 0.25, 0.5, 0.3, 9.81, 2.0, 0.25));
}

RollingStudy rolling_of(const std::string& system, const std::string& rest) {
  return read_rolling_study(TomlDocument::from_text(
      study_of(system, "[epsilon]\nvalues = [1e-2]\n[time]\nend = 0.6\n" + rest), "sample.toml"));
}

/// Both speeds are that of the centre, so the wheel rolls.
const std::string from_rolling = "[initial]\nv = [1.0, 4.0]\n";
const std::string by_law = "[contact]\nlaw = \"viscous\"\n";

/// A rolling study of the text works, but rejects parameters of friction and open contacts.
TEST(FrictionalText, RollsLikeTheStruct) {
  const auto rolling = [](const std::string& system) {
    return rolling_of(system, from_rolling + by_law);
  };
  const RollingStudy written = rolling(written_wheel),
                     compiled = rolling("[system]\nname = \"wheel\"\n");
  VectorXd F[2] = {VectorXd(2), VectorXd(2)};
  written.model.in<double>().force(written.initial.q, written.initial.v, 0.0, F[0]);
  compiled.model.in<double>().force(written.initial.q, written.initial.v, 0.0, F[1]);
  EXPECT_EQ(F[0], F[1]);
  const auto complaint = [&](const std::string& system) -> std::string {
    try {
      rolling(system);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(complaint(replaced(written_wheel, "potential =", "mu = 0.3\npotential =")),
              HasSubstr("sample.toml:9:6: system.mu = 0.3: "));
  EXPECT_THAT(complaint(written_ball), HasSubstr("'floor'"));
}

std::string rolling_refusal(const std::string& system, const std::string& rest) {
  try {
    rolling_of(system, rest);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A rolling study would drop the coefficient of friction and the part of the start that slides.
TEST(FrictionalText, IsNoRollingStudyThatDropsItsFriction) {
  const std::string dropped = rolling_refusal(written_wheel, from_rolling);
  EXPECT_THAT(dropped, HasSubstr("sample.toml:15:12: system.contacts[0].friction = "));
  EXPECT_THAT(dropped, HasSubstr("contact.friction = \"projected\""));
  const std::string slides = rolling_refusal(written_wheel, by_law);
  EXPECT_THAT(slides, HasSubstr("sample.toml:5:15: system.coordinates"));
  EXPECT_THAT(slides, HasSubstr("slides: |G v| = 1 m/s"));
  // Negative controls: every word is used.
  EXPECT_EQ(rolling_refusal(written_wheel, from_rolling + by_law), "");
  EXPECT_EQ(rolling_refusal(written_wheel, "[initial]\nproject = true\n" + by_law), "");
  const std::string without = replaced(written_wheel, "friction = \"mu\"\n", "");
  EXPECT_EQ(rolling_refusal(without, from_rolling), "");
}

TEST(FrictionalText, SurvivesTheResolvedStudy) {
  for (const std::string& text : {written_wheel, written_ball}) {
    const std::string resolved = resolved_toml(friction_of(text));
    EXPECT_EQ(
        resolved_toml(read_friction_study(TomlDocument::from_text(resolved, "resolved.toml"))),
        resolved);
  }
}

TEST(FrictionalText, RunsAsAStudy) {
  FrictionStudy study =
      friction_of(replaced(written_wheel, "drag.default = 2.0", "drag.default = 0.0"));
  study.history.modes_at_end = "stick";
  EXPECT_TRUE(run_friction_study(study).held());
  study.history.modes_at_end = "slip";  // negative control
  EXPECT_FALSE(run_friction_study(study).held());
}

// The coefficient is the number of a contact. The message names the way to another μ N: by the
// load.
TEST(FrictionalText, RefusesACoefficientOfTheMotionAndNamesTheLoad) {
  for (const std::string mu : {"if(x < 0.3, 0.1, 0.4)", "0.1 + 0.2*exp(-abs(x'))", "0.3 + 0.1*t",
                               "0.2*cos(phi)", "mu*radius*phi'"}) {
    const std::string message =
        refusal(replaced(written_wheel, "friction = \"mu\"", "friction = \"" + mu + "\""));
    EXPECT_THAT(message, HasSubstr("system.contacts[0].friction")) << mu;
    EXPECT_THAT(message, HasSubstr("normal_force = \"(" + mu + ")*N\"")) << mu;
    // Negative control: the way that it names is read.
    const std::string by_load =
        replaced(replaced(written_wheel, "friction = \"mu\"", "friction = \"1\""),
                 "normal_force = \"mass*gravity*cos(slope)\"",
                 "normal_force = \"(" + mu + ")*mass*gravity*cos(slope)\"");
    EXPECT_EQ(refusal(by_load), "") << mu;
  }
}

/// A ball with a rail along x, which brakes x alone, falls from rest through h = 0.2 m and bounces
/// with e = 1/2, with these further keys.
std::string falling_ball(const std::string& contact) {
  return R"toml([system]
name = "falling_ball"
coordinates = [{name = "x", unit = "m", start = 0.0, start_rate = 0.4},
               {name = "z", unit = "m", start = 0.2, start_rate = 0.0}]
mass_matrix = [["1", "0"], ["0", "1"]]
force = ["0", "-9.81"]
[[system.contacts]]
name = "floor"
normal = "unilateral"
gap = "z"
restitution = 0.5
)toml" + contact +
         R"toml([[system.contacts]]
name = "rail"
normal = "given"
normal_force = "1"
friction = 0.1
sliding = ["x'"]
)toml";
}

// Without friction a sliding row has no effect: the motions without and with it are the same. The
// ball hits the floor at t₁ = √(2h/g) and again after a flight of 2 e t₁, with error bounds of
// 1e-9 s, a thousand times the tolerance of the event-driven motion.
TEST(FrictionalText, AContactWithoutFrictionNeedsNoSlidingRow) {
  const double first = std::sqrt(2.0 * 0.2 / 9.81);
  for (const std::string keys : {"", "friction = 0\n", "friction = \"0.0\"\n"}) {
    FrictionStudy study = friction_of(falling_ball(keys));
    EXPECT_EQ(study.model.smooth.m, 1) << keys << "the row of the rail";
    const FrictionResult result = run_friction_study(study);
    ASSERT_GE(result.rigid.motion.events.size(), 2U) << keys << result.rigid.motion.message;
    EXPECT_NEAR(result.rigid.motion.events[0].t, first, 1e-9) << keys;
    EXPECT_NEAR(result.rigid.motion.events[1].t, 2.0 * first, 1e-9) << keys;
    const std::string resolved = resolved_toml(study);
    EXPECT_EQ(
        resolved_toml(read_friction_study(TomlDocument::from_text(resolved, "resolved.toml"))),
        resolved);
  }
  const FrictionResult with_row =
      run_friction_study(friction_of(falling_ball("sliding = [\"x'\"]\n")));
  EXPECT_NEAR(with_row.rigid.motion.events[1].t, 2.0 * first, 1e-9);
  // Without the rail there is no sliding row at all.
  const std::string both = falling_ball(""), rail = "[[system.contacts]]\nname = \"rail\"";
  const FrictionResult alone = run_friction_study(friction_of(both.substr(0, both.find(rail))));
  ASSERT_GE(alone.rigid.motion.events.size(), 2U) << alone.rigid.motion.message;
  EXPECT_NEAR(alone.rigid.motion.events[1].t, 2.0 * first, 1e-9);
  // Negative controls: friction has a direction.
  for (const std::string keys : {"friction = 0.1\n", "friction = \"0.5 - 0.5\"\n"})
    EXPECT_THAT(refusal(falling_ball(keys)), HasSubstr("system.contacts[0].sliding")) << keys;
}

TEST(FrictionalText, ErrorsNameTheirPlace) {
  const std::vector<std::array<std::string, 3>> wrong{
      {"normal = \"given\"", "normal = \"givn\"", "sample.toml:13:10: system.contacts[0].normal"},
      {"normal_force = \"mass*gravity*cos(slope)\"\n", "", "contacts[0].normal_force: missing"},
      {"normal = \"given\"", "normal = \"bilateral\"", "contacts[0].normal_force"},
      {"normal = \"given\"\nnormal_force = \"mass*gravity*cos(slope)\"", "normal = \"bilateral\"",
       "contacts[0].gap: missing"},
      {"friction = \"mu\"", "friction = \"x\"", "system.contacts[0].friction: "},
      {"friction = \"mu\"", "friction = -0.1", "friction = -0.1 "},
      {"friction = \"mu\"", "restitution = 0.5", "contacts[0].restitution = 0.5: "},
      {"[\"x' - radius*phi'\"]", "[\"x'\", \"phi'\", \"x' + phi'\"]", "contacts[0]"},
      {"[\"x' - radius*phi'\"]", "[\"x'*phi'\"]", "contacts[0]"},
      {"[[system.contacts]]", "constraint = [\"x'\"]\n[[system.contacts]]", "system.con"},
      {"name = \"ground\"", "name = \"the ground\"", "contacts[0].name"},
      {"quasi_velocities = [\"x'\"]", "quasi_velocities = [\"x'\", \"phi'\"]", "quasi_velocities"}};
  for (const auto& [from, to, message] : wrong)
    EXPECT_THAT(refusal(replaced(written_wheel, from, to)), HasSubstr(message));
  EXPECT_THAT(
      refusal(replaced(written_wheel, "friction = \"mu\"", "friction = \"mu\"\nkinks = [1]")),
      HasSubstr("system.contacts[0].kinks: "));
  EXPECT_EQ(refusal(written_wheel), "");
}

}  // namespace
}  // namespace rigidlimit
