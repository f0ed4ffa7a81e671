// rigidlimit run: what is printed, what is written, and the exit status.
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_map.hpp"
#include "support/shipped_studies.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

class MapVerbTest : public testing::Test {
 protected:
  test::Said map(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    return test::rigidlimit(std::move(arguments), place.path());
  }
  test::TemporaryDirectory place;
  std::string good = place.write("good.toml", test::sample_map_text);
  std::string plane = place.write("plane.toml", test::sample_plane_text);
  std::string bad = place.write("bad.toml", test::sample_map_setting + "[map]\nzeta = [1]\n");
  std::string study = place.write("study.toml", test::sample_text);
};

TEST_F(MapVerbTest, PrintsAndWritesTheResults) {
  const test::Said said = map({good, plane});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("Fitted order of v"));
  EXPECT_THAT(said.out, HasSubstr("best d/d_crit"));
  for (const char* name : {"map.csv", "best_damping.csv", "map.json", "map.txt", "map.toml"})
    for (const char* one : {"results/sample/", "results/sample_plane/"})
      EXPECT_NE(test::text_of(place.path(std::string(one) + name)), "") << one << name;
}

TEST_F(MapVerbTest, CountsSolvesOfItsOwnRunAsNewNotAsKept) {
  EXPECT_THAT(map({plane}).err, testing::Not(HasSubstr("reused from the store")));
  // The negative control: the second run finds them.
  EXPECT_THAT(map({plane}).err, HasSubstr("reused from the store"));
}

TEST_F(MapVerbTest, TheResolvedMapRunsToTheSameBytesForAnyJobs) {
  EXPECT_EQ(map({good, "--jobs", "2", "--quiet"}).status, 0);
  const test::Said again =
      map({"results/sample/map.toml", "--jobs", "1", "--quiet", "--results", "again"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.out, "");
  for (const char* name : {"map.csv", "best_damping.csv", "map.txt", "map.toml"})
    EXPECT_EQ(test::text_of(place.path(std::string("again/sample/") + name)),
              test::text_of(place.path(std::string("results/sample/") + name)))
        << name;
}

TEST_F(MapVerbTest, BadInputIsReportedWithItsPlaceAndStatus2) {
  const test::Said said = map({bad, plane});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr(bad + ":16:1: map.zeta: unknown key"));
  EXPECT_THAT(said.out, HasSubstr("sample_plane")) << "the other one is run";
  EXPECT_THAT(map({plane, plane}).err, HasSubstr("share a directory"));
}

TEST_F(MapVerbTest, FailedCellsAreRowsAndNoNumberAtAllIsStatus2) {
  const test::Said said = map({plane, "--set", "solvers.max_steps=20"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.out, HasSubstr("numbers: failed: max_steps"));
  const auto lines = test::csv_fields(test::text_of(place.path("results/sample_plane/map.csv")));
  EXPECT_EQ(lines.size(), 1u + 2u * 3u * 12u);
}

TEST_F(MapVerbTest, CtrlCKeepsTheFinishedCells) {
  // Undamped contacts at small ε ring for all t: minutes of work in 400 cells.
  std::string text = test::sample_plane_text;
  const std::string two = "damping = [20.0, 200.0]";
  text.replace(text.find(two), two.size(), "damping = {from = 1e-6, to = 1e-3, count = 400}");
  const std::string slow = place.write("slow.toml", text);
  test::Process process({RIGIDLIMIT_PROGRAM, "run", slow, "--jobs", "2"}, place.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  ASSERT_TRUE(process.running());
  process.send(SIGINT);
  const test::Said said = process.wait();
  EXPECT_EQ(said.status, 130) << said.err;
  EXPECT_THAT(said.out, HasSubstr("interrupted"));
}

TEST(ShippedMaps, RunInAShortForm) {
  int found = 0;
  for (const std::string& file : test::shipped_in({"maps"})) {
    if (test::test_name_of(file) == "two_point_ball") continue;  // a map of modes
    ++found;
    const DampingMap map = read_damping_map(file);
    EXPECT_EQ(map.study.name, test::test_name_of(file));
    EXPECT_FALSE(map.study.question.empty());
    const bool plane = map.grid.kind == MapGrid::Kind::plane;
    const test::TemporaryDirectory place;
    const test::Said said = test::rigidlimit(
        {"run", file, "--set", plane ? "map.damping=[2e3]" : "map.damping_ratio=[1]", "--set",
         plane ? "map.stiffness=[1e4, 1e6]" : "map.damping_exponent=[1]"},
        place.path());
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(said.out, testing::Not(HasSubstr("failed")));
  }
  EXPECT_GE(found, 2);
}

}  // namespace
}  // namespace rigidlimit
