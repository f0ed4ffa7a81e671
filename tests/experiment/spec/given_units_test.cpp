// Tests that a study takes and writes numbers in the given units of its system.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* study = R"toml(
[study]
name = "slope"
[system]
name = "wheel_on_a_slope"
coordinates = [
  {name = "x", unit = "mm", start = 0, start_rate = "radius*spin"},
  {name = "turn", unit = "deg", start = 30, start_rate = "spin", above = -360, below = 360},
]
kinetic_coenergy = "mass/2*x'^2 + mass*radius^2/4*turn'^2"
potential = "-mass*gravity*sin(slope)*x"
constraint = [{row = "x' - radius*turn'", unit = "mm/s"}]
[system.parameters]
mass = {default = 2000.0, unit = "g", above = 0}
radius = {default = 150.0, unit = "mm", above = 0}
gravity = {default = 9.81, unit = "m/s^2"}
slope = {default = 20.0, unit = "deg", above = -90, below = 90}
spin = {default = 0.0, unit = "rpm"}
[contact]
stiffness = 1.0
[epsilon]
from = 1e-2
to = 1e-3
count = 4
[time]
end = 0.2
[[expect]]
quantity = "turn"
order = 2.0
)toml";

constexpr double degree = std::numbers::pi / 180.0;

RollingStudy read(const std::string& text, const std::vector<std::string>& set = {}) {
  const test::TemporaryDirectory place;
  const Experiment experiment =
      read_experiment(place.write("slope.toml", text), set, builtin_systems());
  return *rolling_study(experiment);
}

std::string refusal_of(const std::string& text, const std::vector<std::string>& set = {}) {
  try {
    read(text, set);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(GivenUnitsOfStudies, AStartIsReadInTheUnitsOfItsComponents) {
  const RollingStudy own =
      read(study, {"initial.q = {turn = 90}", "initial.v = [1000, 0]", "initial.project = true"});
  // Two rounded factors each: 1e-15 of the value.
  EXPECT_NEAR(own.initial.q(1), 90.0 * degree, 1e-15);
  EXPECT_NEAR(own.initial.v(0), 1.0, 1e-15);
  // The formula of start_rate is in SI: 30 rpm are pi rad/s.
  const RollingStudy spun = read(study, {"system.spin = 30"});
  EXPECT_NEAR(spun.initial.v(1), std::numbers::pi, 1e-15);
  EXPECT_NEAR(spun.initial.v(0), 0.15 * std::numbers::pi, 1e-15);
}

TEST(GivenUnitsOfStudies, AResolvedStudyIsTheSameStudy) {
  for (int slope = -80; slope <= 80; slope += 7) {
    const std::string angle = std::to_string(slope) + "." + std::to_string(10 * slope * slope + 1);
    const RollingStudy once =
        read(study, {"system.slope = " + angle, "initial.q = [0.1, " + angle + "]"});
    const std::string text = resolved_toml(once);
    EXPECT_THAT(text, HasSubstr("\nq = [0.1, " + angle + "]"));
    EXPECT_THAT(text, HasSubstr("\nslope = " + angle + "   # deg"));
    const RollingStudy again = read(text);
    EXPECT_EQ(again.initial.q, once.initial.q);
    EXPECT_EQ(resolved_toml(again), text);
  }
}

TEST(GivenUnitsOfStudies, RangesAndUnitsAreRefusedInTheGivenUnit) {
  EXPECT_THAT(refusal_of(study, {"initial.q = [0, 400]"}), HasSubstr("> -360 and < 360 deg"));
  EXPECT_THAT(refusal_of(study, {"system.slope = 91"}), HasSubstr("> -90 and < 90"));
  EXPECT_EQ(refusal_of(study, {"initial.q = [0, 350]", "system.slope = 89"}), "");
  for (const char* unit : {"degC", "kgm2", "1e99 m"}) {
    std::string text = study;
    text.replace(text.find("\"rpm\""), 5, '"' + std::string(unit) + '"');
    EXPECT_THAT(refusal_of(text),
                AllOf(HasSubstr("slope.toml:18"), HasSubstr("spin"), HasSubstr(unit)));
  }
}

}  // namespace
}  // namespace rigidlimit
