// Maps of modes from TOML.
#include "rigidlimit/slip/read_mode_map.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string shipped = test::in_repository("experiments/slip/maps/two_point_ball.toml");

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

TEST(ReadModeMap, OverridesAreTaken) {
  const ModeMap map = read_mode_map(shipped, {"map.frictions=[0.3]", "system.mass=2.5"});
  EXPECT_THAT(map.frictions, ElementsAre(0.3));
  EXPECT_EQ(map.ball.mass, 2.5);
}

TEST(ReadModeMap, ComplaintsNameTheKey) {
  EXPECT_THAT(complaint_about("map.frictions=[-0.1]"), HasSubstr("map.frictions"));
  EXPECT_THAT(complaint_about("map.half_angles=[1.6]"), HasSubstr("map.half_angles"));
  EXPECT_THAT(complaint_about("map.steepness=1.0"), HasSubstr("map.steepness"));
  EXPECT_THAT(complaint_about("contact.epsilon=0.0"), HasSubstr("contact.epsilon"));
  EXPECT_THAT(complaint_about("system.name=\"wheel\""), HasSubstr("two_point_ball"));
  EXPECT_THAT(complaint_about("start=[{name=\"up\", v=[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]}]"),
              HasSubstr("walls"));
  EXPECT_EQ(complaint_about("time.end=2.0"), "");
}

}  // namespace
}  // namespace rigidlimit
