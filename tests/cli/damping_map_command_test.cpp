// Tests `rigidlimit run` of damping maps: cached solves, failed cells, interruption.
#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_map.hpp"

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
  std::string plane = place.write("plane.toml", test::sample_plane_text);
};

TEST_F(MapVerbTest, ReportsCachedSolvesOnlyInTheSecondRun) {
  const auto cached = testing::ContainsRegex("sample_plane: [0-9]+ of [0-9]+ solves");
  EXPECT_THAT(map({plane}).err, testing::Not(cached));
  // Negative control: the second run reuses them.
  EXPECT_THAT(map({plane}).err, cached);
}

TEST_F(MapVerbTest, FailedCellsGiveRowsAndNoResultGivesStatus2) {
  const test::Said said = map({plane, "--set", "solvers.max_steps=20"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.out, HasSubstr("failed: max_steps"));
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

}  // namespace
}  // namespace rigidlimit
