// Tests the table that compares laws, and the law in every other output.
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "rigidlimit/experiment/experiment.hpp"
#include "support/csv_fields.hpp"
#include "support/report_texts.hpp"
#include "support/sample_result.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Three laws: one of order 1, one that is exact, one that does not converge.
const RollingResult& three_laws() {
  static const RollingResult result = run_rolling_study(test::sample_study(
      {"contact={law=[\"viscous\", \"baumgarte\", \"inertial\"]}",
       "solvers={rigid=[\"closed_form\"], compliant=[\"radau_iia\"]}",
       "expect=[{law=\"viscous\", quantity=\"q\", order=1.0}, {law=\"baumgarte\", quantity=\"q\", "
       "convergence=\"exact\", within=1e-8}, {law=\"inertial\", quantity=\"q\", "
       "convergence=\"none\"}]",
       "bound=[{law=\"viscous\", quantity=\"q\", constant=20, power=1}]"}));
  return result;
}

TextTable table_of(const RollingResult& result) {
  return test::view_of(in_tables(result), "laws");
}

TEST(LawTable, HasARowForEachLawWithOrdersErrorsAndVerdict) {
  const TextTable table = table_of(three_laws());
  ASSERT_EQ(table.rows.size(), 3u);
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.headers.size());
  EXPECT_EQ(table.rows[0][0].text, "viscous");
  EXPECT_THAT(table.rows[0][3].text, testing::EndsWith(" / 1"));
  EXPECT_EQ(table.rows[0][1].text, "held");
  EXPECT_THAT(table.rows[1][3].text, HasSubstr(" / exact"));
  EXPECT_THAT(table.rows[1][1].text, testing::StartsWith("exact"));
  EXPECT_THAT(table.rows[2][3].text, HasSubstr(" / none"));
  EXPECT_NE(table.rows[2][1].text, "held");
}

TEST(LawTable, MarksTheBrokenLaw) {
  RollingResult broken = three_laws();
  for (Series& series : broken.series)
    if (series.expectation && series.expectation->law == "inertial")
      series.judgement.verdict = Verdict::refuted;
  const TextTable table = table_of(broken);
  EXPECT_EQ(table.rows[0][1].text, "held");
  EXPECT_EQ(table.rows[2][1].text, "not held");
  EXPECT_THAT(in_tables(broken).verdict, HasSubstr("inertial"));
  RollingResult silent = three_laws();
  silent.bounds.clear();
  for (Series& series : silent.series) series.expectation.reset();
  EXPECT_EQ(table_of(silent).rows[0][1].text, "nothing expected");
}

TEST(LawTable, ExistsForSeveralLawsOnly) {
  EXPECT_TRUE(table_of(test::sample_result()).rows.empty());
  EXPECT_THAT(test::terminal_report(test::sample_result(), false), Not(HasSubstr("Laws:")));
  EXPECT_THAT(test::terminal_report(three_laws(), false), HasSubstr("Laws:"));
}

TEST(Laws, AreInCsvJsonAndJunit) {
  const auto lines = test::csv_fields(test::csv_rows(three_laws()));
  ASSERT_EQ(lines.size(), 3u * 12u * 5u);
  EXPECT_EQ(lines.front()[2], "viscous");
  EXPECT_EQ(lines.back()[2], "inertial");
  const auto json = nlohmann::json::parse(test::json_text({three_laws()}));
  EXPECT_EQ(json["laws"].size(), 3u);
  EXPECT_EQ(json["errors"].back()["law"], "inertial");
  EXPECT_EQ(json["bounds"][0]["law"], "viscous");
  int none = 0;
  for (const auto& series : json["series"])
    if (series.contains("expected_convergence") && series["expected_convergence"] == "none") {
      ++none;
      EXPECT_EQ(series["held"], true);
    }
  EXPECT_EQ(none, 1);
  const std::string xml = test::junit_text({three_laws()}, {});
  EXPECT_THAT(xml, HasSubstr("q (sup, all t), inertial, radau_iia"));
  EXPECT_THAT(xml, HasSubstr("failures=\"0\""));
}

}  // namespace
}  // namespace rigidlimit
