// Tests reading a mode map: values, overrides, errors, and the resolved text.
#include "rigidlimit/experiment/friction/read_mode_map.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string shipped = test::in_repository("experiments/maps/two_point_ball.toml");

std::string complaint_about(const std::string& override_text) {
  try {
    read_mode_map(shipped, {override_text});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ReadModeMap, ShippedMapIsRead) {
  const ModeMap map = read_mode_map(shipped);
  EXPECT_EQ(map.name, "two_point_ball");
  EXPECT_THAT(map.slopes, ElementsAre(0.1, 0.3, 0.6));
  ASSERT_EQ(map.starts.size(), 4u);
  EXPECT_EQ(map.starts[2].name, "yaw");
  EXPECT_EQ(map.starts[2].v(5), 20.0);
  EXPECT_EQ(map.starts[0].v.norm(), 0.0);
  EXPECT_EQ(map.compliance.epsilon, 1e-4);
  EXPECT_EQ(map.internal_couple, 0.1);
  EXPECT_EQ(map.friction_ratio, 1.0);
}

TEST(ReadModeMap, OverridesReplaceValues) {
  const ModeMap map =
      read_mode_map(shipped, {"map.frictions=[0.3]", "system.mass=2.5", "expect=[]"});
  EXPECT_THAT(map.frictions, ElementsAre(0.3));
  EXPECT_EQ(map.ball.mass, 2.5);
}

TEST(ReadModeMap, ErrorsNameTheKey) {
  EXPECT_THAT(complaint_about("map.frictions=[-0.1]"), HasSubstr("map.frictions"));
  // An expectation of the file names a point that this override removes.
  EXPECT_THAT(complaint_about("map.frictions=[0.3]"), HasSubstr("expect"));
  EXPECT_THAT(complaint_about("map.half_angles=[1.6]"), HasSubstr("map.half_angles"));
  EXPECT_THAT(complaint_about("map.steepness=1.0"), HasSubstr("map.steepness"));
  EXPECT_THAT(complaint_about("contact.epsilon=0.0"), HasSubstr("contact.epsilon"));
  EXPECT_THAT(complaint_about("system.name=\"wheel\""), HasSubstr("two_point_ball"));
  EXPECT_THAT(complaint_about("start=[{name=\"up\", v=[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]}]"),
              HasSubstr("walls"));
  EXPECT_THAT(complaint_about("start=[{name=\"a\"}, {name=\"a\"}]"), HasSubstr("\"a\"; rename"));
  EXPECT_EQ(complaint_about("time.end=2.0"), "");
}

std::string complaint_about_expectation(const std::string& table) {
  return complaint_about("expect=[{" + table + "}]");
}

TEST(ReadModeMap, ExpectationsMustNamePointsOfTheMap) {
  EXPECT_EQ(complaint_about_expectation("quantity=\"threshold\", within=1e-6"), "");
  EXPECT_THAT(complaint_about_expectation("quantity=\"threshold\""), HasSubstr("within"));
  EXPECT_THAT(complaint_about_expectation("quantity=\"order\""), HasSubstr("agreement"));
  const std::string modes = "quantity=\"modes\", start=\"rest\", ";
  EXPECT_EQ(complaint_about_expectation(modes + "slope=0.3, end=\"RR\""), "");
  EXPECT_THAT(complaint_about_expectation(modes + "slope=0.31, end=\"RR\""),
              HasSubstr("0.1, 0.3, 0.6"));
  EXPECT_THAT(complaint_about_expectation("quantity=\"modes\", start=\"fall\", end=\"RR\""),
              HasSubstr("yaw"));
  EXPECT_THAT(complaint_about_expectation(modes + "slope=0.3"), HasSubstr("expect"));
  for (const char* wrong : {"RX", "R", "SS>RR", "SS > SS", "SS > ", "SS - RR"})
    EXPECT_THAT(complaint_about_expectation(modes + "rigid=\"" + wrong + "\""), HasSubstr("rigid"))
        << wrong;
}

TEST(ReadModeMap, TheResolvedMapReadsBackUnchanged) {
  const std::vector<std::string> overrides{
      "expect=[{quantity=\"threshold\", within=1e-6, measured=\"compliant\", slope=0.3}, "
      "{quantity=\"modes\", start=\"yaw\", friction=0.2, rigid=\"SS > RS > RR\"}, "
      "{quantity=\"internal_force\", within=1e-6, stiffness_ratio=0.5}]",
      "system.mass=2.5", "map.friction_ratio=0.5", "contact.rtol=1e-9"};
  const std::string resolved = resolved_toml(read_mode_map(shipped, overrides));
  const ModeMap again = read_mode_map(TomlDocument::from_text(resolved, "resolved.toml"));
  EXPECT_EQ(resolved_toml(again), resolved);
  EXPECT_EQ(again.ball.mass, 2.5);
  EXPECT_EQ(again.expectations.size(), 3u);
  EXPECT_THAT(again.expectations.at(0).measured, ElementsAre("compliant"));
  EXPECT_EQ(again.expectations.at(1).rigid, "SS > RS > RR");
  // Negative control: another map has another resolved text.
  EXPECT_NE(resolved_toml(read_mode_map(shipped)), resolved);
}

}  // namespace
}  // namespace rigidlimit
