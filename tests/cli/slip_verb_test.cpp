// rigidlimit slip: what is printed, what is written, and the exit status.
#include <gmock/gmock.h>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_slip.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

class SlipVerbTest : public testing::Test {
 protected:
  test::Said slip(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "slip");
    return test::rigidlimit(std::move(arguments), place.path());
  }
  test::TemporaryDirectory place;
  std::string good = place.write("good.toml", test::sample_slip_text);
};

TEST_F(SlipVerbTest, PrintsAndWritesTheResults) {
  const test::Said said = slip({good, "--junit", "slip.xml"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("stick ground"));
  EXPECT_THAT(said.out, HasSubstr("sample: held"));
  for (const char* name : {"slip.txt", "slip.toml", "slip.json", "events.csv", "event_times.csv",
                           "errors.csv", "motions.csv"})
    EXPECT_NE(test::text_of(place.path(std::string("results/sample/") + name)), "") << name;
  EXPECT_THAT(test::text_of(place.path("slip.xml")), HasSubstr("failures=\"0\""));
  // Rectangular: as many fields in every line as in the header.
  for (const char* name : {"events.csv", "event_times.csv", "errors.csv", "motions.csv"}) {
    const auto lines =
        test::csv_fields(test::text_of(place.path(std::string("results/sample/") + name)));
    for (const auto& line : lines) EXPECT_EQ(line.size(), lines.front().size()) << name;
  }
}

TEST_F(SlipVerbTest, TheResolvedStudyRunsToTheSameBytes) {
  EXPECT_EQ(slip({good, "--quiet", "--jobs", "2"}).status, 0);
  EXPECT_EQ(
      slip({"results/sample/slip.toml", "--quiet", "--jobs", "1", "--results", "again"}).status, 0);
  for (const char* name : {"errors.csv", "events.csv", "motions.csv", "slip.toml"})
    EXPECT_EQ(test::text_of(place.path(std::string("again/sample/") + name)),
              test::text_of(place.path(std::string("results/sample/") + name)))
        << name;
}

TEST_F(SlipVerbTest, BrokenExpectationsAreStatus1AndBadInputIs2) {
  EXPECT_EQ(slip({good, "--quiet", "--set", "history.modes_at_end=\"slip\""}).status, 1);
  const test::Said bad = slip({good, "--set", "system.friction=-0.1"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("system.friction"));
}

TEST_F(SlipVerbTest, RunSaysWhichVerbAStudyOfFrictionIsFor) {
  const test::Said run = test::rigidlimit({"run", good}, place.path());
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("rigidlimit slip FILE"));
}

TEST_F(SlipVerbTest, ListAndDescribeKnowSystemsWithFriction) {
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
