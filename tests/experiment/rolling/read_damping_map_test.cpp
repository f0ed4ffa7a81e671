// Tests reading a damping map, its resolved text, and the place and key of errors.
#include "rigidlimit/experiment/rolling/read_damping_map.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "support/sample_map.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(ReadMap, TakesListsSortedAndGeometricTables) {
  const DampingMap map = test::map_from(test::sample_map_text);
  EXPECT_EQ(map.grid.kind, MapGrid::Kind::orders);
  EXPECT_EQ(map.grid.ratios, (std::vector<double>{0.5, 1.0, 4.0}));
  EXPECT_EQ(map.grid.exponents, (std::vector<double>{1.0, 2.0}));
  const DampingMap plane = test::map_from(test::sample_plane_text);
  EXPECT_EQ(plane.grid.kind, MapGrid::Kind::plane);
  ASSERT_EQ(plane.grid.stiffness.size(), 3u);
  // The grid is 1e4, 1e5, 1e6. pow rounds the middle to a few units in the last place.
  EXPECT_NEAR(plane.grid.stiffness[1], 1e5, 1e-9);
  EXPECT_EQ(plane.grid.stiffness.back(), 1e6);
  EXPECT_EQ(plane.study.epsilons.front(), std::sqrt(1.0 / 1e4)) << "largest ε: softest spring";
}

TEST(ReadMap, AMissingExponentGridDefaultsToOne) {
  const DampingMap map = test::map_from(test::sample_map_setting + "[map]\ndamping_ratio = [2]\n");
  EXPECT_EQ(map.grid.ratios, std::vector<double>{2.0});
  EXPECT_EQ(map.grid.exponents, std::vector<double>{1.0});
}

TEST(ReadMap, TheResolvedTextReadsToTheSameText) {
  for (const std::string& text : {test::sample_map_text, test::sample_plane_text}) {
    const std::string resolved = resolved_toml(test::map_from(text));
    EXPECT_EQ(resolved_toml(test::map_from(resolved)), resolved);
  }
}

TEST(ReadMap, OverridesReplaceAGrid) {
  const DampingMap map = test::map_from(test::sample_plane_text, {"map.damping=[1, 3]"});
  EXPECT_EQ(map.grid.damping, (std::vector<double>{1.0, 3.0}));
  EXPECT_EQ(map.grid.stiffness.size(), 3u);
}

TEST(ReadMap, ErrorsHavePlaceAndKey) {
  const std::string setting = test::sample_map_setting;  // 14 lines
  const auto expect = [](const std::string& text, const char* place, const char* what) {
    const std::string said = test::complaint_about_map(text);
    EXPECT_THAT(said, StartsWith(place)) << text;
    EXPECT_THAT(said, HasSubstr(what)) << text;
  };
  expect(setting, "sample.toml", "map: missing");
  expect(setting + "[map]\n", "sample.toml:15:1", "no grid");
  expect(setting + "[map]\ndamping_ratio = [1]\nstiffness = [1]\n", "sample.toml:17:13",
         "damping_ratio");
  expect(setting + "[map]\ndamping_ratoi = [1]\n", "sample.toml:16:1", "'damping_ratio'");
  expect(setting + "[map]\ndamping_ratio = [1, -1]\n", "sample.toml:16:17", ">= 0");
  expect(setting + "[map]\ndamping_ratio = [1, 1]\n", "sample.toml:16:17", "occurs twice");
  expect(setting + "[map]\ndamping_ratio = 1\n", "sample.toml:16:17", "list");
  expect(setting + "[map]\ndamping_exponent = [5]\n", "sample.toml:16:20", "<= 4");
  expect(setting + "[map]\ndamping_ratio = {from = 0, to = 1, count = 3}\n", "sample.toml:16:25",
         "> 0");
  expect(setting + "[map]\ndamping_ratio = {from = 1, to = 2}\n", "sample.toml:16:17",
         "count: missing");
  expect(setting + "[map]\nstiffness = [1]\ndamping = [1]\n", "sample.toml:9:1", "no epsilon");
  expect(setting + "[contact]\ndamping = 1.0\n[map]\ndamping_ratio = [1]\n", "sample.toml:16:11",
         "varied by [map]");
  expect(setting + "[solvers]\nrigid = [\"ida\", \"closed_form\"]\n[map]\ndamping_ratio = [1]\n",
         "sample.toml:16:9", "single rigid solver");
  expect(setting + "[[expect]]\nquantity = \"q\"\norder = 2\n[map]\ndamping_ratio = [1]\n",
         "sample.toml:15:3", "unknown key");
  std::string plane = test::sample_plane_text;
  EXPECT_EQ(test::complaint_about_map(plane), "");
  expect(plane + "[contact]\nstiffness = 2.0\n", "sample.toml:16:13", "varied by [map]");
}

TEST(ReadMap, RefusesAStudyAsAMapAndAMapAsAStudy) {
  EXPECT_THAT(test::complaint_about_map(test::sample_text), HasSubstr("map"));
  EXPECT_THAT(test::complaint_about(test::sample_map_text), HasSubstr("rigidlimit run"));
}

}  // namespace
}  // namespace rigidlimit
