// The tables of measured over predicted coefficients, and where else they are told.
#include "rigidlimit/record/ratio_tables.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "rigidlimit/record/tables.hpp"
#include "support/report_texts.hpp"
#include "support/sample_result.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

/// q with the true constant (held), v with one 2 % off (broken).
const StudyResult& result() {
  static const StudyResult one = run_study(test::sample_study(
      {"solvers={rigid=[\"radau_iia\"], compliant=[\"radau_iia\"], rtol=1e-12, atol=1e-14}",
       "expect=[{quantity=\"q\", order=2.0, ratio=1.0, ratio_within=2e-3}, {quantity=\"v\", "
       "ratio=0.98, ratio_within=2e-3}]"}));
  return one;
}

TEST(RatioTable, HasCoefficientAndRatioOfEachQuantity) {
  const TextTable table = ratio_table(result(), "radau_iia", "radau_iia", Window::all, Norm::sup);
  EXPECT_THAT(table.headers,
              testing::ElementsAre("ε", "q: K ε^2", "measured/predicted", "v: K ε",
                                   "measured/predicted", "λ: K", "measured/predicted"));
  ASSERT_EQ(table.rows.size(), 5u);
  EXPECT_EQ(table.rows.back()[1].text, "17.6748");
  EXPECT_THAT(table.rows.back()[2].text, testing::StartsWith("0.99914"));
  EXPECT_TRUE(ratio_table(result(), "ida", "radau_iia", Window::all, Norm::sup).rows.empty());
}

TEST(RatioVerdicts, TellTheBrokenFromTheHeld) {
  const TextTable table = ratio_verdict_table(result());
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].back().text, "confirmed");
  EXPECT_EQ(table.rows[1].back().text, "refuted");
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.headers.size());
  const std::string line = verdict_line(result());
  EXPECT_THAT(line, HasSubstr("not held, 1 of 3 expectations broken"));
  EXPECT_THAT(line, HasSubstr("v (radau_iia, sup, all t): measured/predicted 1.00"));
  EXPECT_TRUE(ratio_verdict_table(test::sample_result()).rows.empty()) << "nothing expected";
}

TEST(RatioRows, AreInJsonCsvAndJunit) {
  const auto json = nlohmann::json::parse(test::json_text({result()})).at(0);
  EXPECT_TRUE(json.at("series").at(0).at("ratio").at("held").get<bool>());
  EXPECT_EQ(json.at("rows").at(4).at("predicted_coefficient").is_number(), true);
  EXPECT_THAT(test::csv_header(), HasSubstr(",predicted_coefficient,ratio,ratio_error,"));
  const std::string junit = test::junit_text({result()}, {});
  EXPECT_THAT(junit, HasSubstr("name=\"measured/predicted of q (sup, all t)"));
  EXPECT_THAT(junit, HasSubstr("<failure type=\"refuted\" message=\"measured/predicted 1.00"));
  EXPECT_THAT(test::terminal_report(result(), false), HasSubstr("\nCoefficients\n"));
}

}  // namespace
}  // namespace rigidlimit
