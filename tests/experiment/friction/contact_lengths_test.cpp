// Tests that gaps are distances and sliding velocities those of points, or that the text says so.
#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct ContactText {
  std::string gap, sliding, more = {};
};

/// Two points (x, y) and (u, w) of 2 kg, the first one on a plane that falls at 0.6 rad.
FrictionStudy study_of(const ContactText& contact) {
  return read_friction_study(TomlDocument::from_text(
      R"toml(study.name = "plain"
time.end = 1.0
[system]
name = "plain"
coordinates = [
  {name = "x", unit = "m", start = 0, start_rate = "cos(a)"},
  {name = "y", unit = "m", start = 0, start_rate = "-sin(a)"},
  {name = "u", unit = "m", start = 0, start_rate = "cos(a)"},
  {name = "w", unit = "m", start = 0, start_rate = "-sin(a)"},
  {name = "turn", unit = "rad", start = 0.2, start_rate = 0},
]
kinetic_coenergy = "x'^2 + y'^2 + u'^2 + w'^2 + turn'^2"
potential = "2*9.81*y"
[[system.contacts]]
name = "plane"
normal = "bilateral"
friction = 0.3
gap = ")toml" +
          contact.gap + "\"\nsliding = [\"" + contact.sliding + "\"]\n" + contact.more +
          "\n[system.parameters]\na = {default = 0.6}\nb = {default = 0.2}\n",
      "plain.toml"));
}

std::string refusal(const ContactText& contact) {
  try {
    study_of(contact);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::string along = "cos(a)*x' - sin(a)*y'";

double lost(const ContactText& contact) {
  const FrictionStudy study = study_of(contact);
  return energy_of(study.model,
                   event_driven_motion(study.model, study.initial, test::uniform_grid(0.0, 1.0, 10),
                                       rigid_options(study, 1.0, {})),
                   study.solvers.rigid_atol)
      .lost_in_slipping;
}

// Every gap that gives the plane gives one friction loss, μ m g cos a times the way. The motion is
// solved to 1e-12, and 1e-9 of an energy is the tolerance of the loss.
TEST(ContactLengths, GiveOneFrictionForceForEveryFormOfTheGap) {
  const double a = 0.6, mu = 0.3, g = 9.81;
  const double way = 1.0 + 0.5 * g * (std::sin(a) - mu * std::cos(a));
  const double loss = mu * 2.0 * g * std::cos(a) * way;
  EXPECT_NEAR(loss, 12.4124, 1e-4);
  EXPECT_NEAR(lost({"cos(a)*y + sin(a)*x", along}), loss, 1e-8);
  EXPECT_NEAR(lost({"y + tan(a)*x", along, "gap_scale = \"1/cos(a)\""}), loss, 1e-8);
  EXPECT_NEAR(lost({"cos(a)*y + sin(a)*x", "3*(" + along + ")", "sliding_scale = 3"}), loss, 1e-8);
  // Negative control: a gap kept as it is has the force of another length.
  EXPECT_NEAR(lost({"y + tan(a)*x", along, "gap_scale = 1"}), 11.0949, 1e-4);
}

TEST(ContactLengths, AreRefusedWithTheirFactor) {
  const std::string gap = refusal({"y + tan(a)*x", along});
  EXPECT_THAT(gap, HasSubstr("system.contacts[0].gap: is no distance"));
  EXPECT_THAT(gap, HasSubstr("s = 1.2116283"));  // 1/cos(0.6)
  EXPECT_THAT(gap, HasSubstr("set gap_scale"));
  const std::string row = refusal({"cos(a)*y + sin(a)*x", "2*(" + along + ")"});
  EXPECT_THAT(row, HasSubstr("system.contacts[0].sliding"));
  EXPECT_THAT(row, HasSubstr("s = 2, "));
  EXPECT_THAT(row, HasSubstr("set sliding_scale"));
  EXPECT_THAT(refusal({"2*(y - w)", "x' - u'"}),
              StartsWith("plain.toml:18:8: system.contacts[0].gap: is"));
  EXPECT_THAT(refusal({"y", along, "gap_scale = 0"}),
              HasSubstr("gap_scale: is 0, but must be > 0"));
}

// Distances of one point and between two, in frames that are turned by a constant or by the motion,
// and with arms on a body that turns.
TEST(ContactLengths, AcceptDistances) {
  const std::vector<ContactText> right{
      {"y", "x'"},
      {"cos(a)*y + sin(a)*x", along},
      {"w - y", "u' - x'"},
      {"cos(b)*(w - y) - sin(b)*(u - x)", "cos(b)*(u' - x') + sin(b)*(w' - y')"},
      {"cos(turn)*(w - y) - sin(turn)*(u - x)", "cos(turn)*(u' - x') + sin(turn)*(w' - y')"},
      {"y - 3*cos(turn)", "x' + 3*cos(turn)*turn'"},
      {"sqrt((x + 3)^2 + (y - 4)^2) - 5", "(0.8*x' + 0.6*y')"},
      {"0.5*w + 0.5*y", "0.5*u' + 0.5*x'"}};
  for (const ContactText& contact : right) EXPECT_EQ(refusal(contact), "") << contact.gap;
}

}  // namespace
}  // namespace rigidlimit
