// Tests the files of a damping map: one line per number, rectangular, with failed cells.

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "rigidlimit/report/damping_map_tables.hpp"
#include "support/csv_fields.hpp"
#include "support/report_texts.hpp"
#include "support/sample_map.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

std::size_t column_of(const std::vector<std::string>& header, const std::string& name) {
  const auto at = std::ranges::find(header, name);
  if (at == header.end()) throw std::out_of_range("no column " + name);
  return static_cast<std::size_t>(at - header.begin());
}

TEST(MapCsv, HasALineForEveryNumber) {
  const DampingMapResult& result = test::sample_map_result();
  const auto lines = test::csv_fields(test::csv_of(result));
  // 6 cells, 4 ε, 3 quantities, 2 norms, 2 windows
  ASSERT_EQ(lines.size(), 1u + 6u * 4u * 12u);
  for (const auto& fields : lines) ASSERT_EQ(fields.size(), lines[0].size());
  const auto& first = lines[1];
  const auto number = [&](const char* name) {
    return std::strtod(first[column_of(lines[0], name)].c_str(), nullptr);
  };
  EXPECT_TRUE(std::isnan(number("stiffness")));
}

TEST(MapCsv, OfAPlaneHasTheCriticalDamping) {
  const DampingMapResult result =
      run_damping_map(test::map_from(test::sample_plane_text), test::two_jobs());
  const auto lines = test::csv_fields(test::csv_of(result));
  ASSERT_EQ(lines.size(), 1u + 2u * 3u * 12u);
  const auto number = [&](const std::vector<std::string>& fields, const char* name) {
    return std::strtod(fields[column_of(lines[0], name)].c_str(), nullptr);
  };
  for (std::size_t i = 1; i < lines.size(); ++i) {
    ASSERT_EQ(lines[i].size(), lines[0].size());
    // A = 1/m = 1: critical damping is 2 sqrt(c).
    EXPECT_NEAR(number(lines[i], "critical_damping"),
                2.0 * std::sqrt(number(lines[i], "stiffness")), 1e-9);
    EXPECT_TRUE(std::isnan(number(lines[i], "epsilon")));
    EXPECT_TRUE(std::isnan(number(lines[i], "order")));
  }
}

TEST(MapCsv, AFailedCellIsALineWithItsReason) {
  DampingMapResult result = test::sample_map_result();
  result.columns[1].series.clear();
  result.columns[1].complaint = "reason-of-failure";
  const auto lines = test::csv_fields(test::csv_of(result));
  ASSERT_EQ(lines.size(), 1u + 5u * 4u * 12u + 1u);
  for (const auto& fields : lines) EXPECT_EQ(fields.size(), lines[0].size());
  EXPECT_THAT(lines[1 + 48][column_of(lines[0], "status")], testing::StartsWith("failed"));
  EXPECT_THAT(test::terminal_report(result, false), HasSubstr("reason-of-failure"));
  EXPECT_THAT(test::json_of(result), HasSubstr("reason-of-failure"));
}

TEST(WriteMap, WritesConsistentFiles) {
  const test::TemporaryDirectory place;
  const DampingMapResult& result = test::sample_map_result();
  const std::string at = test::write_results(result, place.path("deep"));
  EXPECT_EQ(at, place.path("deep/sample"));
  EXPECT_EQ(test::text_of(at + "/map.csv"), test::csv_of(result));
  EXPECT_EQ(test::text_of(at + "/best_damping.csv"), test::csv_of(result, 1));
  EXPECT_EQ(test::text_of(at + "/map.toml"), resolved_toml(result.map));
  EXPECT_THAT(test::text_of(at + "/map.txt"), HasSubstr("β = 1"));
  const auto json = nlohmann::json::parse(test::text_of(at + "/map.json"));
  EXPECT_EQ(json["kind"], "orders");
  EXPECT_EQ(json["provenance"]["resolved_map"], resolved_toml(result.map));
}

}  // namespace
}  // namespace rigidlimit
