// Tests `rigidlimit run` of friction studies and mode maps: files, exit status, JUnit.
#include <gmock/gmock.h>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_friction.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class FrictionVerbTest : public testing::Test {
 protected:
  test::Said slip(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    return test::rigidlimit(std::move(arguments), place.path());
  }
  test::TemporaryDirectory place;
  std::string good = place.write("good.toml", test::sample_friction_text);
};

TEST_F(FrictionVerbTest, WritesRectangularTables) {
  const test::Said said = slip({good, "--junit", "friction.xml"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("stick ground"));
  EXPECT_THAT(test::text_of(place.path("friction.xml")), HasSubstr("failures=\"0\""));
  for (const char* name : {"events.csv", "event_times.csv", "errors.csv", "motions.csv"}) {
    const auto lines =
        test::csv_fields(test::text_of(place.path(std::string("results/sample/") + name)));
    ASSERT_GT(lines.size(), 1u) << name;
    for (const auto& line : lines) EXPECT_EQ(line.size(), lines.front().size()) << name;
  }
}

TEST_F(FrictionVerbTest, BrokenExpectationsAreStatus1AndBadInputIs2) {
  EXPECT_EQ(slip({good, "--quiet", "--set", "history.modes_at_end=\"slip\""}).status, 1);
  const test::Said bad = slip({good, "--set", "system.friction=-0.1"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("system.friction"));
}

TEST_F(FrictionVerbTest, SlipIsReplacedByRun) {
  const test::Said said = test::rigidlimit({"slip", "fall.toml"}, place.path());
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("rigidlimit run fall.toml"));
}

/// One motion from rest, which rolls: mu0 = 0.0961 < 0.2.
constexpr const char* small_map = R"([study]
name = "modes"
question = "Does it roll?"
[map]
slopes = [0.3]
half_angles = [0.7]
frictions = [0.2]
[[start]]
name = "rest"
[contact]
epsilon = 1e-3
[time]
end = 0.5
samples = 5
[[expect]]
quantity = "modes"
start = "rest"
end = "RR"
)";

TEST_F(FrictionVerbTest, AModeMapHasTheFilesOfAStudyAndIsJudged) {
  const std::string map = place.write("modes.toml", small_map);
  const test::Said said = slip({map, "--junit", "modes.xml"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("modes: held, 2 of 2 claims"));
  for (const char* name : {"modes.txt", "modes.md", "modes.tex", "modes.csv", "modes.json",
                           "modes.toml", "thresholds.csv", "internal_forces.csv"})
    EXPECT_NE(test::text_of(place.path(std::string("results/modes/") + name)), "") << name;
  EXPECT_THAT(test::text_of(place.path("modes.xml")),
              AllOf(HasSubstr("testsuite name=\"modes\" tests=\"2\" failures=\"0\""),
                    HasSubstr("start rest")));
  EXPECT_THAT(test::text_of(place.path("results/modes/modes.json")), HasSubstr("\"held\": true"));
  EXPECT_THAT(test::text_of(place.path("results/modes/modes.md")), HasSubstr("| claim "));
}

TEST_F(FrictionVerbTest, AModeMapThatExpectsOtherModesIsStatus1) {
  const std::string map = place.write("modes.toml", small_map);
  const test::Said said = slip({map, good, "--quiet", "--junit", "both.xml", "--set",
                                "expect=[{quantity=\"modes\", start=\"rest\", end=\"SS\"}]"});
  // The override is valid for the map only: the study has no quantity `modes`.
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("modes: not held, 1 of 2 claims"));
  EXPECT_THAT(test::text_of(place.path("both.xml")),
              AllOf(HasSubstr("failures=\"1\""), HasSubstr("errors=\"1\"")));
  EXPECT_EQ(
      slip({map, "--quiet", "--set", "expect=[{quantity=\"modes\", start=\"rest\", end=\"SS\"}]"})
          .status,
      1);
}

TEST_F(FrictionVerbTest, ListAndDescribeKnowSystemsWithFriction) {
  EXPECT_THAT(test::rigidlimit({"list", "systems"}, place.path()).out, HasSubstr("wheel_and_curb"));
  const test::Said described = test::rigidlimit({"describe", "wheel_and_curb"}, place.path());
  EXPECT_EQ(described.status, 0) << described.err;
  EXPECT_THAT(described.out, HasSubstr("restitution"));
  EXPECT_THAT(described.out, HasSubstr("wall"));
  EXPECT_EQ(test::rigidlimit({"describe", "wheel_and_curb", "--linearise"}, place.path()).status,
            2);
}

}  // namespace
}  // namespace rigidlimit
